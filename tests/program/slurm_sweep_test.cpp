// SPDX-License-Identifier: Apache-2.0
// flitmend sweep --slurm with a real controller and two emulated nodes, which the test starts itself. All of
// it belongs to this user, listens only on this machine and ends with the test.
#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <thread>

#include "base/errors.h"
#include "exploration/sweeps/other_program.h"
#include "exploration/sweeps/reader.h"
#include "exploration/sweeps/slurm/array_job.h"
#include "support/program.h"
#include "support/sweep_dump.h"

namespace flitmend {
namespace {

using namespace std::chrono_literals;

/// Path of a daemon; "" if it is not installed. Debian keeps them out of a user's PATH.
std::string find_daemon(const std::string& name) {
  std::string path = std::getenv("PATH") ? std::getenv("PATH") : "";
  path += ":/usr/sbin:/usr/local/sbin:";
  for (std::size_t begin = 0, end; (end = path.find(':', begin)) != path.npos; begin = end + 1) {
    const std::string file = path.substr(begin, end - begin) + "/" + name;
    if (access(file.c_str(), X_OK) == 0) return file;
  }
  return "";
}

/// Ports that are free just now.
std::vector<int> free_ports(int count) {
  std::vector<int> sockets, ports;
  for (int i = 0; i < count; ++i) {
    sockets.push_back(socket(AF_INET, SOCK_STREAM, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (bind(sockets.back(), reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        getsockname(sockets.back(), reinterpret_cast<sockaddr*>(&address), &size) != 0)
      throw std::runtime_error("no free port");
    ports.push_back(ntohs(address.sin_port));
  }
  for (int s : sockets) close(s);
  return ports;
}

/// A daemon in the foreground that ends with this process.
class Daemon {
 public:
  Daemon(std::vector<std::string> words, const std::string& log) {
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    process_ = fork();
    if (process_ != 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    execv(argv[0], argv.data());
    _exit(127);
  }
  Daemon(const Daemon&) = delete;
  Daemon& operator=(const Daemon&) = delete;
  ~Daemon() {
    kill(process_, SIGTERM);
    for (int i = 0; i < 100; ++i, std::this_thread::sleep_for(50ms))
      if (waitpid(process_, nullptr, WNOHANG) != 0) return;
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }

 private:
  pid_t process_ = -1;
};

class SlurmSweepProgram : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"munged", "slurmctld", "slurmd"})
      if (find_daemon(name).empty())
        GTEST_SKIP() << name << " is not installed here (Debian: slurm-wlm, munge); --slurm is not tested";
    folder_.write("base.yaml",
                  "network: {topology: mesh, size: [4, 4]}\nsimulation: {warmup: 200, measure: 2000}\n");
    start_cluster();
  }

  void start_cluster() {
    folder_.write("munge.key", std::string(1024, 'k'));
    std::filesystem::permissions(folder_ / "munge.key", std::filesystem::perms::owner_read);
    std::filesystem::create_directories(folder_ / "state");
    for (const char* node : {"n1", "n2"})
      std::filesystem::create_directories(folder_ / ("spool." + std::string(node)));
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    const std::string user = std::to_string(getuid());
    const std::vector<int> ports = free_ports(3);
    const auto port = [&](std::size_t i) { return std::to_string(ports[i]); };
    std::string conf =
        "ClusterName=flitmend\nSlurmctldHost=" + std::string(host) + "(127.0.0.1)\nSlurmctldPort=" + port(0) +
        "\nSlurmUser=" + user + "\nSlurmdUser=" + user +
        "\nAuthType=auth/munge\nAuthInfo=socket=" + folder_ / "munge.socket" +
        "\nCredType=cred/munge\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n"
        "JobAcctGatherType=jobacct_gather/none\nSwitchType=switch/none\nMpiDefault=none\n"
        "CommunicationParameters=NoInAddrAny,NoCtldInAddrAny\n"
        "SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0,sched_min_interval=0\n"
        "MailProg=/bin/true\nReturnToService=2\nKillWait=2\n"
        "StateSaveLocation=" +
        folder_ / "state" + "\nSlurmdSpoolDir=" + folder_ / "spool.%n" +
        "\nSlurmctldPidFile=" + folder_ / "slurmctld.pid" + "\nSlurmdPidFile=" + folder_ / "slurmd.%n.pid" +
        "\n";
    for (int n = 1; n <= 2; ++n)
      conf += "NodeName=n" + std::to_string(n) + " NodeHostname=" + host +
              " NodeAddr=127.0.0.1 Port=" + port(static_cast<std::size_t>(n)) + " CPUs=1 State=UNKNOWN\n";
    conf += "PartitionName=all Nodes=ALL Default=YES State=UP\n";
    folder_.write("slurm.conf", conf);
    setenv("SLURM_CONF", (folder_ / "slurm.conf").c_str(), 1);
    start({find_daemon("munged"), "--foreground", "--key-file=" + (folder_ / "munge.key"),
           "--socket=" + (folder_ / "munge.socket"), "--pid-file=" + (folder_ / "munged.pid"),
           "--log-file=" + (folder_ / "munged.log"), "--seed-file=" + (folder_ / "munged.seed")});
    for (int i = 0; i < 200 && !std::filesystem::exists(folder_ / "munge.socket"); ++i)
      std::this_thread::sleep_for(50ms);
    start({find_daemon("slurmctld"), "-D", "-i"});
    for (const char* node : {"n1", "n2"}) start({find_daemon("slurmd"), "-D", "-N", node});
    for (int i = 0; i < 300; ++i, std::this_thread::sleep_for(100ms))
      if (run_command({"sinfo", "--noheader", "--Node", "--format=%t"}).out == "idle\nidle\n") return;
    FAIL() << "the cluster does not come up:\n" << folder_.read("log") << run_command({"sinfo"}).out;
  }

  void start(std::vector<std::string> words) {
    daemons_.push_back(std::make_unique<Daemon>(std::move(words), folder_ / "log"));
  }

  std::vector<std::string> words(const std::string& sweep, const std::string& out,
                                 const std::vector<std::string>& more) const {
    std::vector<std::string> w = {"sweep", folder_.write("sweep.yaml", sweep), "--out", folder_ / out};
    w.insert(w.end(), more.begin(), more.end());
    return w;
  }
  int run(const std::string& sweep, const std::string& out, const std::vector<std::string>& more) {
    ProgramProcess process(words(sweep, out, more));
    const int status = process.wait();
    out_ = process.out();
    err_ = process.err();
    return status;
  }
  static std::string queue() { return run_command({"squeue", "--noheader"}).out; }

  ScratchFolder folder_;
  std::vector<std::unique_ptr<Daemon>> daemons_;
  std::string out_;
  std::string err_;
};

TEST_F(SlurmSweepProgram, TwoNodesGiveWhatTwoJobsGive) {
  const std::string points =
      "base: base.yaml\naxes:\n  - {key: router.virtual_channels, values: [1, 2]}\n"
      "  - {key: traffic.load, from: 0.1, to: 0.3, step: 0.1}\n  - {seeds: 2}\n"
      "  - {key: routing.algorithm, values: [dimension-order, tfar]}\n"
      "slurm: {points_per_task: 6}\n";
  ASSERT_EQ(run(points, "slurm", {"--slurm"}), 0) << err_;
  // tfar can deadlock on a mesh.
  EXPECT_EQ(out_.rfind("24 points in " + (folder_ / "slurm/results.sqlite") + ": 12 done, 12 refused\n", 0),
            0u)
      << out_;
  ASSERT_EQ(run(points, "jobs", {"--jobs", "2"}), 0) << err_;
  EXPECT_EQ(sweep_dump(folder_ / "slurm"), sweep_dump(folder_ / "jobs"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "slurm/slurm"));

  const std::string curves =
      "base: base.yaml\naxes:\n  - {key: router.virtual_channels, values: [1, 2]}\n"
      "  - {key: traffic.load, until: saturation, from: 0.2, step: 0.2}\n";
  ASSERT_EQ(run(curves, "slurm curves", {"--slurm"}), 0) << err_;
  ASSERT_EQ(run(curves, "jobs curves", {"--jobs", "2"}), 0) << err_;
  EXPECT_EQ(sweep_dump(folder_ / "slurm curves"), sweep_dump(folder_ / "jobs curves"));
}

TEST_F(SlurmSweepProgram, AStudyRunsThereToo) {
  const std::string study = folder_.write("study.yaml",
                                          "title: t\nsweeps:\n  loads: {base: base.yaml, axes: [{key: "
                                          "traffic.load, values: [0.1, 0.4]}, {seeds: 3}]}\n"
                                          "statements: [{says: load costs time, metric: latency.total.mean, "
                                          "below: {traffic.load: [0.1, 0.4]}}]\n");
  for (const std::string where : {"--quiet", "--slurm"}) {
    ProgramProcess process({"study", study, "--out", folder_ / where.substr(2), where});
    EXPECT_EQ(process.wait(), 0) << process.err();
    EXPECT_NE(process.out().find("1 of 1 statements hold"), std::string::npos) << process.out();
  }
  EXPECT_EQ(sweep_dump(folder_ / "quiet/loads"), sweep_dump(folder_ / "slurm/loads"));
}

// Several rounds, each a job of its own.
TEST_F(SlurmSweepProgram, ACampaignRunsThereToo) {
  const std::string campaign = folder_.write(
      "campaign.yaml",
      "hits: 40\nruns: 8\nprotocols: [end-to-end]\n"
      "base: {network: {size: [4, 4]}, traffic: {load: 0.1}, simulation: {warmup: 0, measure: 1000}}\n"
      "axes: [{key: faults.node_rate, values: [0.0005, 0.001]}]\n");
  for (const std::string where : {"--quiet", "--slurm"}) {
    ProgramProcess process({"campaign", campaign, "--out", folder_ / where.substr(2), where});
    EXPECT_EQ(process.wait(), 0) << process.err();
  }
  EXPECT_GT(SweepReader(folder_ / "quiet").identifiers().size(), 4u) << "more than one round";
  EXPECT_EQ(folder_.read("quiet/bounds.md"), folder_.read("slurm/bounds.md"));
  EXPECT_EQ(sweep_dump(folder_ / "quiet"), sweep_dump(folder_ / "slurm"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "slurm/slurm"));
}

TEST_F(SlurmSweepProgram, GoesOnWithoutItsUserAndAfterScancel) {
  const std::string sweep =
      "base: base.yaml\naxes: [{seeds: 12}, {key: simulation.measure, values: [400000]}]\n"
      "slurm: {points_per_task: 4}\n";
  ProgramProcess process(words(sweep, "o", {"--slurm"}));
  for (int i = 0; i < 300 && queue().find(" R ") == std::string::npos; ++i)
    std::this_thread::sleep_for(100ms);
  process.signal(SIGINT);
  EXPECT_EQ(process.wait(), 5);
  const std::string job = std::to_string(std::stoi(folder_.read("o/slurm/job")));
  EXPECT_EQ(process.err(), "flitmend: stopped waiting; Slurm job " + job +
                               " continues: --slurm --resume waits for it again, scancel " + job +
                               " cancels it\n");
  EXPECT_NE(queue(), "");
  EXPECT_EQ(run(sweep, "o", {"--resume"}), 2);
  EXPECT_EQ(err_, "flitmend: Slurm job " + job + " is still working on " + (folder_ / "o") +
                      "; --slurm --resume waits for it, scancel " + job + " cancels it\n");

  ProgramProcess waiting(words(sweep, "o", {"--slurm", "--resume"}));
  // After a task has recorded a point, its job is cancelled.
  const auto recorded = [&] {
    std::size_t count = 0;
    for (const char* task : {"task_0", "task_1", "task_2"}) try {
        count += SweepReader(folder_.path() / "o" / "slurm" / task).identifiers().size();
      } catch (const std::exception&) {
      }
    return count;
  };
  for (int i = 0; i < 3000 && recorded() == 0; ++i) std::this_thread::sleep_for(10ms);
  run_command({"scancel", job});
  EXPECT_EQ(waiting.wait(), 5);
  EXPECT_EQ(waiting.err().rfind("flitmend: job " + job + " ended with points missing, in ", 0), 0u)
      << waiting.err();
  EXPECT_NE(waiting.err().find(".log; --slurm --resume submits what is missing\n"), std::string::npos)
      << waiting.err();
  const std::size_t before = SweepReader(folder_ / "o").identifiers().size();
  EXPECT_GE(before, 1u);
  EXPECT_LT(before, 12u);

  ASSERT_EQ(run(sweep, "o", {"--slurm", "--resume"}), 0) << err_;
  ASSERT_EQ(run(sweep, "undisturbed", {"--jobs", "2"}), 0) << err_;
  EXPECT_EQ(sweep_dump(folder_ / "o"), sweep_dump(folder_ / "undisturbed"));
}

TEST_F(SlurmSweepProgram, SaysWhatWentWrong) {
  EXPECT_EQ(
      run("base: base.yaml\naxes: [{seeds: 2}]\nslurm: {options: [--partition=none]}\n", "a", {"--slurm"}),
      2);
  EXPECT_EQ(err_.rfind("flitmend: sbatch rejected the job: ", 0), 0u) << err_;
  EXPECT_NE(err_.find("invalid partition"), std::string::npos) << err_;
}

TEST(ArrayJob, NumbersAreWrittenInRuns) {
  EXPECT_EQ(array_text({0}), "0");
  EXPECT_EQ(array_text({0, 1, 2, 3}), "0-3");
  EXPECT_EQ(array_text({0, 2, 3, 7, 9, 10}), "0,2-3,7,9-10");
}

TEST(ArrayJob, WithoutSlurmItSaysSo) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  std::string message;
  try {
    job_state("1");
  } catch (const ConfigurationError& e) {
    message = e.what();
  }
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(
      message,
      "cannot start squeue: No such file or directory; --slurm needs the commands of Slurm, --jobs N runs "
      "on this machine");
}

TEST(RunCommand, KeepsOutputsApart) {
  const CommandResult result = run_command({"sh", "-c", "echo out; echo err >&2; exit 3"});
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(result.out, "out\n");
  EXPECT_EQ(result.err, "err\n");
  EXPECT_EQ(run_command({"sh", "-c", "kill -9 $$"}).status, 137);
}

}  // namespace
}  // namespace flitmend
