#include "testbench/sweeps/writer.h"

#include "base/errors.h"
#include "testbench/sweeps/reader.h"
#include "testbench/sweeps/schema.h"

namespace flitmend {
namespace {

void put_meta(const Database& database, std::string_view key, std::string_view value) {
  Statement insert = database.prepare("INSERT OR REPLACE INTO meta VALUES(?, ?)");
  insert.bind(1, key);
  insert.bind(2, value);
  insert.run();
}

void put_axes(const Database& database, const std::vector<AxisRecord>& axes) {
  Statement insert = database.prepare("INSERT INTO axes VALUES(?, ?, ?, ?)");
  for (std::size_t i = 0; i < axes.size(); ++i) {
    insert.bind(1, static_cast<std::int64_t>(i));
    insert.bind(2, axes[i].name);
    insert.bind(3, Json(axes[i].keys).dump());
    insert.bind(4, axes[i].points.dump());
    insert.run();
  }
}

/// Whether the point was not there yet.
bool put_point(const Database& database, const PointRecord& point) {
  Statement known = database.prepare("SELECT 1 FROM points WHERE id = ?");
  known.bind(1, point.id);
  if (known.step()) return false;
  Statement insert = database.prepare("INSERT INTO points VALUES(?, ?, ?, ?, ?, ?, ?)");
  insert.bind(1, point.id);
  insert.bind(2, point.axes.dump());
  insert.bind(3, point.configuration);
  insert.bind(4, to_word(point.status));
  insert.bind(5, point.exit_status);
  insert.bind(6, point.message);
  insert.bind(7, point.stats);
  insert.run();
  Statement metric = database.prepare("INSERT INTO metrics VALUES(?, ?, ?)");
  for (const auto& [name, value] : point.metrics) {
    metric.bind(1, point.id);
    metric.bind(2, name);
    metric.bind(3, value);
    metric.run();
  }
  return true;
}

void put_host(const Database& database, std::int64_t point, const HostRecord& host) {
  Statement insert = database.prepare("INSERT OR REPLACE INTO host VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)");
  insert.bind(1, point);
  insert.bind(2, host.cpu_seconds);
  insert.bind(3, host.wall_seconds);
  insert.bind(4, host.flit_hops_per_second);
  insert.bind(5, host.peak_rss_bytes);
  insert.bind(6, host.started);
  insert.bind(7, host.finished);
  insert.bind(8, host.host_name);
  insert.bind(9, host.diagnostics);
  insert.run();
}

}  // namespace

SweepWriter SweepWriter::create(const std::filesystem::path& folder, const SweepIdentity& identity,
                                const std::vector<AxisRecord>& axes) {
  auto database = std::make_unique<Database>(folder / kSweepFile, Database::Mode::create);
  if (database->has_table("meta"))
    throw ConfigurationError(database->path().string() +
                             " holds results already; --resume runs what is missing there, or choose another "
                             "folder with --out");
  Transaction transaction(*database);
  database->execute(kSweepTables);
  put_meta(*database, "schema", std::to_string(kSweepSchema));
  put_meta(*database, "flitmend", identity.version);
  put_meta(*database, "base", identity.base);
  put_meta(*database, "base_name", identity.base_name);
  put_meta(*database, "sweep", identity.sweep);
  put_meta(*database, "sweep_name", identity.sweep_name);
  put_meta(*database, "complete", "0");
  put_axes(*database, axes);
  transaction.commit();
  return SweepWriter(std::move(database));
}

SweepWriter SweepWriter::resume(const std::filesystem::path& folder, const SweepIdentity& identity,
                                const std::vector<AxisRecord>& axes) {
  // Also where the first start was killed before it had written anything.
  if (Database(folder / kSweepFile, Database::Mode::create).is_empty()) return create(folder, identity, axes);
  const SweepReader reader(folder);
  const auto refuse = [&](const std::string& why) {
    throw ConfigurationError(reader.path().string() + " " + why + "; choose another folder with --out");
  };
  if (reader.meta("flitmend") != identity.version)
    refuse("was begun by flitmend " + reader.meta("flitmend") + ", this is " + identity.version);
  if (reader.meta("sweep") != identity.sweep)
    refuse("holds the results of another sweep than " + identity.sweep_name);
  if (reader.meta("base") != identity.base)
    refuse("holds the results of another base configuration than " + identity.base_name);
  return SweepWriter(std::make_unique<Database>(folder / kSweepFile, Database::Mode::write));
}

void SweepWriter::add(const std::vector<Finished>& finished) {
  Transaction transaction(*database_);
  for (const Finished& f : finished)
    if (put_point(*database_, f.point)) put_host(*database_, f.point.id, f.host);
  transaction.commit();
}

void SweepWriter::set_saturation(const SaturationRecord& s) {
  Transaction transaction(*database_);
  Statement insert =
      database_->prepare("INSERT OR REPLACE INTO saturation VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  insert.bind(1, s.curve);
  insert.bind(2, s.axes.dump());
  insert.bind(3, to_word(s.status));
  insert.bind(4, s.load);
  insert.bind(5, s.throughput);
  insert.bind(6, s.zero_load_latency);
  insert.bind(7, s.zero_load_point);
  insert.bind(8, s.load_point);
  insert.bind(9, s.throughput_point);
  insert.bind(10, s.message);
  insert.run();
  transaction.commit();
}

void SweepWriter::set_complete() {
  Transaction transaction(*database_);
  put_meta(*database_, "complete", "1");
  transaction.commit();
}

std::set<std::int64_t> SweepWriter::finished() const {
  std::set<std::int64_t> ids;
  Statement select = database_->prepare("SELECT id FROM points");
  while (select.step()) ids.insert(select.integer(0));
  return ids;
}

}  // namespace flitmend
