// SPDX-License-Identifier: Apache-2.0
#include "exploration/sweeps/writer.h"

#include "base/errors.h"
#include "base/text.h"
#include "exploration/sweeps/axis.h"
#include "exploration/sweeps/named_files.h"
#include "exploration/sweeps/reader.h"
#include "exploration/sweeps/records.h"
#include "testbench/run_end.h"

namespace flitmend {
namespace {

void put_axes(const Database& database, const std::vector<AxisRecord>& axes) {
  Statement insert = database.prepare("INSERT INTO axes VALUES(?, ?, ?, ?)");
  for (std::size_t i = 0; i < axes.size(); ++i) {
    insert.run(static_cast<std::int64_t>(i), axes[i].name, Json(axes[i].keys).dump(), axes[i].points.dump());
  }
}

/// Whether the point is new.
bool put_point(const Database& database, const PointRecord& point) {
  Statement known = database.prepare("SELECT 1 FROM points WHERE id = ?");
  known.bind(1, point.id);
  if (known.step()) return false;
  Statement insert = database.prepare("INSERT INTO points VALUES(?, ?, ?, ?, ?, ?, ?)");
  insert.run(point.id, point.axes.dump(), point.configuration, to_word(point.status), point.exit_status,
             point.message, point.stats);
  Statement metric = database.prepare("INSERT INTO metrics VALUES(?, ?, ?)");
  for (const auto& [name, value] : point.metrics) {
    metric.run(point.id, name, value);
  }
  return true;
}

void put_host(const Database& database, std::int64_t point, const HostRecord& host) {
  Statement insert = database.prepare("INSERT OR REPLACE INTO host VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)");
  insert.run(point, host.cpu_seconds, host.wall_seconds, host.flit_hops_per_second, host.peak_rss_bytes,
             host.started, host.finished, host.host_name, host.diagnostics);
}

/// Whether two texts say the same, comments, spaces and the order of keys apart.
bool same_document(const std::string& a, const std::string& b) {
  if (a == b) return true;
  ErrorList errors("");
  const auto parsed = [&](const std::string& text) {
    return nlohmann::json::parse(json_of(parse_document(text, errors).value_or(DocumentNode{})).dump());
  };
  return parsed(a) == parsed(b) && errors.empty();
}

}  // namespace

SweepWriter SweepWriter::create(const std::filesystem::path& folder, const SweepIdentity& identity,
                                const std::vector<AxisRecord>& axes) {
  auto database = std::make_unique<Database>(folder / kSweepFile, Database::Mode::create);
  if (database->has_table("meta"))
    throw ConfigurationError(database->path().string() +
                             " already holds results; --resume runs what is missing, or choose another "
                             "folder with --out");
  Transaction transaction(*database);
  database->execute(kSweepTables);
  database->put_meta("schema", std::to_string(kSweepSchema));
  database->put_meta("flitmend", identity.version);
  database->put_meta("base", identity.base);
  database->put_meta("base_name", identity.base_name);
  database->put_meta("sweep", identity.sweep);
  database->put_meta("sweep_name", identity.sweep_name);
  if (!identity.files.empty()) database->put_meta("files", identity.files);
  database->put_meta("complete", "0");
  put_axes(*database, axes);
  transaction.commit();
  return SweepWriter(std::move(database));
}

SweepWriter SweepWriter::resume(const std::filesystem::path& folder, const SweepIdentity& identity,
                                const std::vector<AxisRecord>& axes) {
  // Also if the first start was killed before it had written anything.
  if (Database(folder / kSweepFile, Database::Mode::create).is_empty()) return create(folder, identity, axes);
  check_resumable(folder, identity);
  SweepWriter writer(std::make_unique<Database>(folder / kSweepFile, Database::Mode::write));
  writer.mend(axes);
  return writer;
}

void SweepWriter::mend(const std::vector<AxisRecord>& axes) {
  Transaction transaction(*database_);
  const auto not_now = formatted(" FROM points WHERE status = '%1%' AND exit_status = %2%",
                                 to_word(PointStatus::refused), to_int(ExitStatus::unfinished));
  // A curve that has stopped can have stopped at such a point; its search is repeated from its other points.
  Statement stopped =
      database_->prepare("DELETE FROM saturation WHERE status = ? AND EXISTS (SELECT 1" + not_now + ")");
  stopped.run(to_word(SaturationStatus::stopped));
  database_->prepare("DELETE" + not_now).run();
  for (const char* table : {"metrics", "host"})
    database_->prepare(std::string("DELETE FROM ") + table + " WHERE point NOT IN (SELECT id FROM points)")
        .run();
  if (!axes.empty()) {  // a task of a job array has none
    database_->execute("DELETE FROM axes");
    put_axes(*database_, axes);
  }
  transaction.commit();
}

void SweepWriter::check_resumable(const std::filesystem::path& folder, const SweepIdentity& identity) {
  if (Database(folder / kSweepFile, Database::Mode::read).is_empty()) return;
  const SweepReader reader(folder);
  const auto refuse = [&](const std::string& why) {
    throw ConfigurationError(reader.path().string() + " " + why + "; choose another folder with --out");
  };
  if (reader.meta("flitmend") != identity.version)
    refuse("was started by flitmend " + reader.meta("flitmend") + ", but this is " + identity.version);
  if (!same_document(reader.meta("sweep"), identity.sweep))
    refuse("holds the results of another sweep than " + identity.sweep_name);
  if (!same_document(reader.meta("base"), identity.base))
    refuse("holds the results of another base configuration than " + identity.base_name);
  if (const std::string changed = changed_file(reader.meta("files"), identity.files); !changed.empty())
    refuse("holds results from before " + changed + " changed");
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
  insert.run(s.curve, s.axes.dump(), to_word(s.status), s.load, s.throughput, s.zero_load_latency,
             s.zero_load_point, s.load_point, s.throughput_point, s.message);
  transaction.commit();
}

void SweepWriter::set_complete() {
  Transaction transaction(*database_);
  database_->put_meta("complete", "1");
  transaction.commit();
}

std::set<std::int64_t> SweepWriter::finished() const {
  std::set<std::int64_t> ids;
  Statement select = database_->prepare("SELECT id FROM points");
  while (select.step()) ids.insert(select.integer(0));
  return ids;
}

}  // namespace flitmend
