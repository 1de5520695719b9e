//! One file under several names, links and files that are none.

use std::fs;
use std::os::unix::fs::symlink;

use crate::support::{CLEAN, STICKY, folder, read, run, run_in};

#[test]
fn links_are_not_followed_out_of_the_folder() {
    let outside = folder(&[("real.yaml", STICKY)]);
    let inside = folder(&[("svc.yaml", STICKY)]);
    symlink(outside.path().join("real.yaml"), inside.path().join("out.yaml")).expect("linked");
    symlink("svc.yaml", inside.path().join("in.yaml")).expect("linked");
    let ran = run_in(inside.path(), &["fix", "."], b"");
    assert_eq!((ran.code, read(&outside, "real.yaml").as_str()), (0, STICKY));
    assert_eq!(read(&inside, "svc.yaml"), CLEAN);
    assert!(fs::symlink_metadata(inside.path().join("in.yaml")).expect("there").is_symlink());
    assert!(ran.stderr.contains("out.yaml is a link out of the folder"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("in.yaml is a link"), "{}", ran.stderr);
}

#[test]
fn a_named_link_stays_a_link() {
    let folder = folder(&[("real/svc.yaml", STICKY)]);
    symlink("real/svc.yaml", folder.path().join("link.yaml")).expect("linked");
    assert_eq!(run_in(folder.path(), &["fix", "link.yaml"], b"").code, 0);
    assert!(fs::symlink_metadata(folder.path().join("link.yaml")).expect("there").is_symlink());
    assert_eq!(read(&folder, "real/svc.yaml"), CLEAN);
}

#[test]
fn one_file_under_many_names_is_worked_on_once() {
    let folder = folder(&[("svc.yaml", STICKY), ("sub/x.yaml", CLEAN)]);
    symlink("svc.yaml", folder.path().join("link.yaml")).expect("linked");
    let names = ["link.yaml", "./svc.yaml", "sub/../svc.yaml", ".", "sub"];
    let diff = run_in(folder.path(), &[&["diff"][..], &names].concat(), b"");
    assert_eq!((diff.code, diff.out().matches("--- ").count()), (1, 1), "{}", diff.out());
    let fix = run_in(folder.path(), &[&["fix"][..], &names].concat(), b"");
    assert_eq!((fix.code, read(&folder, "svc.yaml").as_str()), (0, CLEAN), "{}", fix.stderr);
    assert_eq!(fix.stderr, "1 changed, 0 kept, 0 refused, 0 noted in 2 files\n");
}

#[test]
fn a_link_stands_for_a_file_inside_that_is_passed_over_otherwise() {
    let folder = folder(&[("..data/svc.txt", STICKY)]);
    symlink("..data/svc.txt", folder.path().join("svc.yaml")).expect("linked");
    symlink("..data/svc.txt", folder.path().join("again.yaml")).expect("linked");
    let diff = run_in(folder.path(), &["diff", "."], b"");
    assert!(diff.out().starts_with("--- a/..data/svc.txt\n"), "{}", diff.out());
    assert_eq!(diff.out().matches("--- ").count(), 1);
    assert_eq!(run_in(folder.path(), &["fix", "."], b"").code, 0);
    assert_eq!(read(&folder, "..data/svc.txt"), CLEAN);
    assert!(fs::symlink_metadata(folder.path().join("svc.yaml")).expect("there").is_symlink());
}

#[test]
fn links_that_are_left_out_are_told() {
    let outside = folder(&[("svc.yaml", STICKY)]);
    let folder = folder(&[("a.yaml", CLEAN)]);
    symlink(outside.path(), folder.path().join("elsewhere")).expect("linked");
    symlink("missing.yaml", folder.path().join("broken.yaml")).expect("linked");
    symlink("missing.yaml", folder.path().join(".#lock.yaml")).expect("linked");
    symlink("missing.txt", folder.path().join("notes.txt")).expect("linked");
    symlink(".", folder.path().join("round")).expect("linked");
    let ran = run_in(folder.path(), &["fix", "."], b"");
    assert_eq!((ran.code, read(&outside, "svc.yaml").as_str()), (0, STICKY));
    assert_eq!(
        ran.stderr,
        "warning: ./broken.yaml is a link that leads nowhere: it is left out\nwarning: ./elsewhere is a link out of the \
         folder: it is left out\n0 changed, 0 kept, 0 refused, 0 noted in 1 file\n"
    );
}

#[test]
fn a_folder_that_is_named_is_searched_through_a_link_and_where_git_ignores_it() {
    let folder = folder(&[(".gitignore", "vendor/\n"), ("vendor/svc.yaml", STICKY)]);
    symlink("vendor", folder.path().join("link")).expect("linked");
    assert!(run_in(folder.path(), &["diff", "vendor"], b"").out().starts_with("--- a/vendor/svc.yaml\n"));
    assert_eq!(run_in(folder.path(), &["fix", "link"], b"").code, 0);
    assert_eq!(read(&folder, "vendor/svc.yaml"), CLEAN);
}

#[test]
fn what_is_no_regular_file_is_read_but_not_edited() {
    let diff = run(&["diff", "/dev/stdin"], STICKY);
    assert_eq!(diff.code, 1);
    assert!(diff.out().starts_with("--- a/dev/stdin\n"), "{}", diff.out());
    let fix = run(&["fix", "/dev/stdin"], STICKY);
    assert_eq!((fix.code, fix.out()), (2, ""));
    assert!(fix.stderr.contains("/dev/stdin is no regular file"), "{}", fix.stderr);
}
