//! `unstick export`: the policy for engines that enforce it elsewhere.

use unstick_report::{Target, export};

use crate::args::Engine;
use crate::error::Error;
use crate::run::Run;

pub(crate) fn execute(run: &mut Run, engine: Engine) -> Result<(), Error> {
    let target = match engine {
        Engine::KustomizePatch => Target::KustomizePatch,
        Engine::Flux => Target::Flux,
        Engine::Kyverno => Target::Kyverno,
        Engine::MutatingAdmissionPolicy => Target::MutatingAdmissionPolicy,
        Engine::ValidatingAdmissionPolicy => Target::ValidatingAdmissionPolicy,
        Engine::Gatekeeper => Target::Gatekeeper,
    };
    let manifests = export(&run.policy, target)?;
    run.print(manifests.as_bytes())
}
