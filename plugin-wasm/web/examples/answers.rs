//! Answers jobs natively, for comparison with Node and browsers: `answers JOBS ANSWERS`.
//!
//! Both files hold one JSON object on each line; `js/tests/support/jobs.ts` writes and reads them.

use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Error, Write as _};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Serialize};
use unstick_web_wasm::Batch;

#[derive(Deserialize)]
struct Job {
    options: String,
    files: Vec<JobFile>,
}

#[derive(Deserialize)]
struct JobFile {
    path: String,
    bytes: String,
}

#[derive(Serialize)]
struct Answer {
    report: String,
    files: Vec<AnswerFile>,
}

#[derive(Serialize)]
struct AnswerFile {
    bytes: String,
    diff: String,
    offsets: Vec<u32>,
}

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let (Some(jobs), Some(answers)) = (arguments.next(), arguments.next()) else {
        return Err(Error::other("usage: answers JOBS ANSWERS"));
    };
    let mut out = BufWriter::new(File::create(answers)?);
    for line in BufReader::new(File::open(jobs)?).lines() {
        let job: Job = serde_json::from_str(&line?)?;
        serde_json::to_writer(&mut out, &answer(&job)?)?;
        writeln!(out)?;
    }
    out.flush()
}

fn answer(job: &Job) -> Result<Answer, Error> {
    let mut batch = Batch::with_options(&job.options).map_err(|fault| Error::other(fault.message()))?;
    for file in &job.files {
        batch.add(Some(file.path.clone()), BASE64_STANDARD.decode(&file.bytes).map_err(Error::other)?);
    }
    batch.plan();
    let files = (0..job.files.len()).map(|index| AnswerFile {
        bytes: BASE64_STANDARD.encode(batch.bytes(index)),
        diff: String::from_utf8_lossy(&batch.diff(index)).into_owned(),
        offsets: batch.offsets(index),
    });
    Ok(Answer { report: batch.report(false), files: files.collect() })
}
