//! What can be typed.

use std::path::PathBuf;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use unstick::Rule;

const EXIT_CODES: &str = "Exit codes:
  0  done, or nothing to do
  1  diff or check found something; values does not reach some Service; a KRM function found an error
  2  something could not be read, written or edited; all the rest was done";

/// Finds, removes and rewrites Service session affinity in Kubernetes manifests, and changes no other byte.
///
/// Without a command, reads manifests from standard input and writes them to standard output: YAML, JSON, a List, or
/// the ResourceList of a KRM function, told apart by content.
#[derive(Debug, Parser)]
#[command(name = "unstick", version, after_help = EXIT_CODES, subcommand_negates_reqs = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub shared: Shared,
}

impl Arguments {
    pub(crate) fn command_tree() -> clap::Command {
        Self::command()
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show what would change as a unified diff; nothing is written.
    #[command(after_help = EXIT_CODES)]
    Diff {
        /// Files, folders, or - for standard input.
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
    },
    /// Edit files in place.
    #[command(after_help = EXIT_CODES)]
    Fix {
        /// Files or folders.
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
    },
    /// List what is found.
    #[command(after_help = EXIT_CODES)]
    Check {
        /// Files, folders, or - for standard input.
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
        /// How the findings are written.
        #[arg(long, value_enum, default_value_t = Format::Human)]
        format: Format,
        /// The least severity that makes the exit code 1.
        #[arg(long, value_enum, default_value_t = FailOn::Warning, value_name = "SEVERITY")]
        fail_on: FailOn,
        /// Also say in words what kube-proxy does for each sticky Service.
        #[arg(long)]
        explain: bool,
    },
    /// Write the values that switch affinity off in a chart; with --all, those of all its switches.
    #[command(after_help = EXIT_CODES)]
    Values {
        /// A chart's folder, or a chart archive (.tgz).
        #[arg(value_name = "CHART")]
        chart: PathBuf,
    },
    /// Write kubectl commands that make live Services what the policy asks for; nothing is sent.
    ///
    /// Reads what kubectl get svc -A -o yaml (or json) writes: kubectl get svc -A -o yaml | unstick patch
    #[command(after_help = EXIT_CODES)]
    Patch {
        /// Files, folders, or - for standard input.
        #[arg(default_value = "-", value_name = "PATH")]
        paths: Vec<PathBuf>,
        /// Name this context of the kubeconfig in every command.
        #[arg(long, value_name = "NAME")]
        context: Option<String>,
        /// The namespace of Services that name none.
        #[arg(long, value_name = "NAME")]
        namespace: Option<String>,
    },
    /// List the rules, or show what one of them means.
    Rules {
        /// The rule.
        #[arg(value_name = "ID")]
        rule: Option<Rule>,
    },
    /// Write the policy as manifests for another engine.
    Export {
        /// The engine.
        #[arg(long, value_enum, value_name = "ENGINE")]
        to: Engine,
    },
    /// Write the JSON Schema of policies.
    Schema,
    /// Write a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

/// Options that every command takes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options for every command")]
pub(crate) struct Shared {
    /// Read the settings from a SessionAffinityPolicy, YAML or JSON; other options override it.
    #[arg(long, global = true, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// What is done with a sticky Service [default: remove].
    #[arg(long, global = true, value_enum, value_name = "ACTION")]
    pub action: Option<ActionName>,
    /// Seconds of stickiness, 1 to 86400, with --action clientIP.
    #[arg(long, global = true, value_name = "SECONDS")]
    pub timeout: Option<u32>,
    /// Also act on an explicit None.
    #[arg(long, global = true)]
    pub include_none: bool,
    /// Only Services whose name, or namespace/name, matches; may be given more than once.
    #[arg(long, global = true, value_name = "GLOB")]
    pub only: Vec<String>,
    /// Never Services whose name, or namespace/name, matches; wins over --only.
    #[arg(long, global = true, value_name = "GLOB")]
    pub except: Vec<String>,
    /// As a KRM function: change nothing, and fail where something would change.
    #[arg(long, global = true)]
    pub validate: bool,
    /// Custom resources that embed a Service spec [default: report].
    #[arg(long, global = true, value_enum, value_name = "WHAT")]
    pub embedded: Option<EmbeddedName>,
    /// Charts: values keys that switch affinity stay, with a default that is not sticky, or go [default: keep].
    #[arg(long, global = true, value_enum, value_name = "WHAT")]
    pub knobs: Option<KnobsName>,
    /// Comment lines directly above a removed key: owned ones go with it, or all stay [default: owned].
    #[arg(long, global = true, value_enum, value_name = "WHICH")]
    pub comments: Option<CommentsName>,
    /// Tell of these rules only; may be given more than once, or with commas.
    #[arg(long, global = true, value_name = "ID", value_delimiter = ',')]
    pub select: Vec<Rule>,
    /// Tell nothing of these rules; wins over --select. What is edited or refused stays as it is.
    #[arg(long, global = true, value_name = "ID", value_delimiter = ',')]
    pub ignore: Vec<Rule>,
    /// Write a report, whatever the command; also read from UNSTICK_REPORT.
    #[arg(long, global = true, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// How the report is written [default: sarif where its name ends so, else json].
    #[arg(long, global = true, value_enum, value_name = "FORMAT")]
    pub report_format: Option<Format>,
    /// Exit with 0 although something was refused or could not be read.
    #[arg(long, global = true)]
    pub lenient: bool,
    /// The host that runs the filter: helm never gets an empty output.
    #[arg(long, global = true, value_enum, default_value_t = Host::Auto, value_name = "NAME")]
    pub host: Host,
    /// When to use colours.
    #[arg(long, global = true, value_enum, default_value_t = When::Auto, value_name = "WHEN")]
    pub color: When,
    /// Write no summary.
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Also list findings that ask for nothing: kept, and noted for completeness.
    #[arg(short, long, visible_short_alias = 'v', global = true)]
    pub all: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ActionName {
    Remove,
    None,
    #[value(name = "clientIP")]
    ClientIp,
    Keep,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EmbeddedName {
    Report,
    Edit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum KnobsName {
    Keep,
    Strip,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CommentsName {
    Owned,
    Keep,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text for people.
    Human,
    /// JSON, version 1.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// Annotations of a GitHub workflow.
    Github,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    Warning,
    Error,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    KustomizePatch,
    Flux,
    Kyverno,
    MutatingAdmissionPolicy,
    ValidatingAdmissionPolicy,
    Gatekeeper,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Host {
    /// Told from the input.
    Auto,
    /// A Helm post-renderer.
    Helm,
    /// A KRM function: the input must be a ResourceList.
    Krm,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    Auto,
    Always,
    Never,
}
