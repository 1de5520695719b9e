//! `unstick patch`: commands that change live Services.

use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;

use unstick::{Action, Intent, Outcome, Plan, Resource, SessionService, Source};
use unstick_report::{FileReport, PatchOptions, patch};

use crate::batch;
use crate::error::Error;
use crate::run::Run;
use crate::survey::Advisor;
use crate::unit::Planned;
use crate::walk;
use crate::words::say;

/// What the commands stand for, in numbers.
#[derive(Default)]
struct Count {
    patched: usize,
    kept: usize,
    /// Services that have a command already: dumps may overlap.
    seen: HashSet<(Option<String>, Option<String>)>,
}

pub(crate) fn execute(run: &mut Run, paths: &[PathBuf], options: &PatchOptions) -> Result<(), Error> {
    // On a live object nothing can be left out: the API server always fills the field in.
    let release = |action: &mut Action| {
        if *action == Action::Remove {
            *action = Action::None;
        }
    };
    release(&mut run.policy.action);
    run.policy.rules.iter_mut().for_each(|rule| release(&mut rule.action));
    let policy = run.policy.clone();
    let units = walk::units(run, paths)?;
    let mut count = Count::default();
    batch::for_each(
        run,
        &units,
        &Advisor::of_changes(),
        |planned| planned,
        |run, Planned { input, of_chart, result }| {
            let (loaded, plan) = match result {
                Ok(read) => read,
                Err(error) => {
                    run.fail(&error);
                    return Ok(());
                }
            };
            let path = input.shown();
            let file = FileReport { path: &path, text: &loaded.bytes, plan: &plan, of_chart };
            run.add(file);
            run.tell(file);
            let source = Source { path: Some(&path), bytes: &loaded.bytes };
            warn_of_custom_resources(run, &plan);
            plan.services(source, &policy).iter().try_for_each(|service| count.add(run, service, options))
        },
    )?;
    count.tell(run);
    Ok(())
}

/// Names the objects that the plan changes and that are no Services: kubectl has no strategic merge for them.
fn warn_of_custom_resources(run: &Run, plan: &Plan) {
    let changed = plan.findings.iter().filter(|finding| finding.outcome == Outcome::Changed);
    let others = changed.filter_map(|finding| finding.resource.as_ref()).filter(|resource| resource.kind != "Service");
    let names = others.map(|resource| (&resource.kind, resource.name.as_deref().unwrap_or("(no name)")));
    for (kind, name) in names.collect::<BTreeSet<_>>() {
        run.warn(&format!("{kind} {name} is no Service and gets no command: change its manifest"));
    }
}

impl Count {
    /// Prints the command for one Service, if it changes.
    fn add(&mut self, run: &mut Run, service: &SessionService, options: &PatchOptions) -> Result<(), Error> {
        let Resource { namespace, name, .. } = &service.resource;
        let namespace = namespace.as_ref().or(options.namespace.as_ref());
        if matches!(service.intent, Intent::Stay { .. }) {
            self.kept += usize::from(service.sticky);
            return Ok(());
        }
        match patch(service, options) {
            None => {}
            Some(Err(reason)) => {
                let place = namespace.map(|namespace| format!("{namespace}/")).unwrap_or_default();
                let name = name.as_deref().unwrap_or("(no name)");
                run.fail(&Error::NoPatch { service: format!("{place}{name}"), reason });
            }
            Some(Ok(command)) if self.seen.insert((namespace.cloned(), name.clone())) => {
                self.patched += 1;
                run.print(command.as_bytes())?;
            }
            Some(Ok(_)) => {}
        }
        Ok(())
    }

    fn tell(&self, run: &mut Run) {
        if run.is_quiet() {
            return;
        }
        run.without_summary();
        let Self { patched, kept, .. } = self;
        let services = |count: usize| if count == 1 { "Service" } else { "Services" };
        let way = if *patched > 0 { "; nothing was sent: review the commands, then run them with sh" } else { "" };
        say(&format!("{patched} {} to patch, {kept} sticky and kept{way}\n", services(*patched)));
    }
}
