//! `unstick rules`: what the rules are, and what one of them means.

use unstick::Rule;

use crate::error::Error;
use crate::run::print;

pub(crate) fn execute(rule: Option<Rule>) -> Result<(), Error> {
    let text = rule.map_or_else(unstick_report::rule_list, unstick_report::rule_page);
    print(text.as_bytes())
}
