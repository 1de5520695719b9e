//! `unstick schema`.

use crate::support::run;

#[test]
fn the_schema_is_data_on_standard_output() {
    let ran = run(&["schema"], "");
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert_eq!(ran.out(), include_str!("../../docs/policy.schema.json"));
}
