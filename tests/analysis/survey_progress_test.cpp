// SPDX-License-Identifier: Apache-2.0
// What engines with long surveys report to a listener, and that it can stop them.
#include "base/survey_progress.h"

#include <gtest/gtest.h>

#include <functional>

#include "analysis/fault_rings/path_counts.h"
#include "analysis/kns_tolerance/survey.h"
#include "analysis/kns_tolerance/table_sizes.h"
#include "analysis/probability_vectors/statistics.h"

namespace flitmend {
namespace {

class Recorder : public SurveyListener {
 public:
  explicit Recorder(std::uint64_t stop_at = ~std::uint64_t{0}) : stop_at_(stop_at) {}
  void update(std::uint64_t done, std::uint64_t all) override {
    inside_ += 1;
    EXPECT_EQ(inside_, 1);  // one at a time
    EXPECT_LE(done, all);
    last = done > last ? done : last;
    total = all;
    if (last >= stop_at_) stop_ = true;
    inside_ -= 1;
  }
  bool stop() const override { return stop_; }

  std::uint64_t last = 0;
  std::uint64_t total = 0;

 private:
  std::uint64_t stop_at_;
  std::atomic<bool> stop_{false};
  std::atomic<int> inside_{0};
};

struct Engine {
  const char* name;
  std::uint64_t pieces;
  std::function<void(unsigned jobs, SurveyListener*)> run;
};

const std::vector<Engine>& engines() {
  static const FaultPattern pattern(MeshShape({12, 12}), {{{4, 4}, {3, 2}}});
  static const FaultPattern wide(MeshShape({300, 300}), {{{4, 4}, {3, 2}}});
  static const FaultPattern middling(MeshShape({30, 30}), {{{4, 4}, {3, 2}}});
  static const std::vector<Engine> all = {
      {"Monte Carlo", 100'003,
       [](unsigned jobs, SurveyListener* l) {
         estimate_p_hit(pattern, FaultRegion::ring, 100'003, 1, jobs, l);
       }},
      {"sweep", 10ull * 300 * 300,
       [](unsigned jobs, SurveyListener* l) { count_paths_by_sweep(wide, FaultRegion::ring, jobs, l); }},
      {"determinant", 900,
       [](unsigned jobs, SurveyListener* l) {
         count_paths_by_determinant(middling, FaultRegion::ring, jobs, l);
       }},
      {"KNS tables", 256,
       [](unsigned jobs, SurveyListener* l) {
         kns_table_sizes(IntermediateChooser(KnsFaults(KnsShape(16, 2)), {}), jobs, l);
       }},
      {"probability routing", 30'007,
       [](unsigned jobs, SurveyListener* l) {
         PvExperiment e;
         e.k = 4;
         e.faulty_nodes = 9;
         e.pairs = 30'007;
         e.fault_sets = 7;
         probability_routing_statistics(e, 1, jobs, l);
       }},
      {"KNS samples", 20'001,
       [](unsigned jobs, SurveyListener* l) {
         KnsSurveySettings s;
         s.faults = 3;
         s.jobs = jobs;
         s.listener = l;
         survey_samples(KnsShape(4, 2), s, 20'001);
       }},
      {"all of KNS", 816,
       [](unsigned jobs, SurveyListener* l) {
         KnsSurveySettings s;
         s.faults = 3;
         s.jobs = jobs;
         s.listener = l;
         survey_all(KnsShape(3, 2), s);
       }},
      {"KNS tolerance", 20'001,
       [](unsigned jobs, SurveyListener* l) {
         KnsSurveySettings s;
         s.faults = 3;
         s.jobs = jobs;
         s.listener = l;
         count_tolerated(KnsShape(4, 2), s, 20'001);
       }},
  };
  return all;
}

}  // namespace

TEST(SurveyProgress, ReachesTheEnd) {
  for (const Engine& engine : engines()) {
    Recorder one;
    engine.run(1, &one);
    EXPECT_EQ(one.last, engine.pieces) << engine.name;
    EXPECT_EQ(one.total, engine.pieces) << engine.name;
    Recorder many;
    engine.run(4, &many);
    EXPECT_EQ(many.total, engine.pieces) << engine.name;
    engine.run(2, nullptr);
  }
}

TEST(SurveyProgress, EndsASurveySoonAfterItIsStopped) {
  for (const Engine& engine : engines())
    for (unsigned jobs : {1u, 3u}) {
      Recorder stopper(engine.pieces / 4);
      EXPECT_THROW(engine.run(jobs, &stopper), Interrupted) << engine.name;
      EXPECT_LT(stopper.last, engine.pieces / 2) << engine.name;
    }
}

}  // namespace flitmend
