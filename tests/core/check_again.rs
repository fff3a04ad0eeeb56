//! Checking only what changed finds what checking everything finds, whatever is changed: documents, single definitions,
//! placed entities, over projects in which every rule has something to say.

use std::sync::Arc;

use levelwright::{
    check::{Checked, check_again},
    defs::{Resolution, resolve},
    model::{DocPath, Document, EntitiesFile, LayerContent, Level, Project},
};
use proptest::prelude::*;

use crate::{
    build::path,
    cases::cases,
    check::{builtin, images, with},
};

/// Every document of every case in `rules`, and of the project in which nothing is wrong.
fn pool() -> Vec<(DocPath, Arc<Document>)> {
    let good = with(&[]).documents.into_iter();
    let broken = crate::rules::documents();
    good.chain(broken).collect()
}

fn entities(pool: &[(DocPath, Arc<Document>)]) -> Vec<EntitiesFile> {
    let files =
        pool.iter().filter_map(|(_, doc)| if let Document::Entities(file) = &**doc { Some(file) } else { None });
    files.cloned().collect()
}

fn levels(pool: &[(DocPath, Arc<Document>)]) -> Vec<Level> {
    let levels =
        pool.iter().filter_map(|(_, doc)| if let Document::Level(level) = &**doc { Some(level) } else { None });
    levels.cloned().collect()
}

/// Make a change; `a`, `b` and `c` say which.
fn make(project: &mut Project, pool: &[(DocPath, Arc<Document>)], kind: u8, [a, b, c]: [usize; 3]) {
    let (defs, placed) = (entities(pool), levels(pool));
    match kind {
        0..3 => {
            let (at, document) = &pool[a % pool.len()];
            project.documents.insert(at.clone(), document.clone());
        }
        3 => {
            let at = project.documents.keys().nth(a % project.documents.len().max(1)).cloned();
            // Back to how it was where nothing is wrong, or away with it.
            if let Some(at) = at {
                match pool.iter().find(|(it, _)| *it == at).filter(|_| b % 2 == 0) {
                    Some((_, good)) => drop(project.documents.insert(at, good.clone())),
                    None => drop(project.documents.remove(&at)),
                }
            }
        }
        // One definition, from anywhere, into a file; or out of it.
        4..7 => {
            let at = path(["entities/all.ron", "entities/more.ron"][c % 2]);
            let mut file = project.entities(&at).cloned().unwrap_or_default();
            let from = &defs[a % defs.len()].defs;
            let Some((name, def)) = from.get_index(b % from.len().max(1)) else { return };
            if b % 5 == 0 {
                file.defs.shift_remove(name);
            } else {
                file.defs.insert(name.clone(), def.clone());
            }
            project.documents.insert(at, Arc::new(Document::Entities(file)));
        }
        // One placed entity, from any level into any other.
        _ => {
            let from = placed[a % placed.len()].clone();
            let levels: Vec<DocPath> = project.levels().map(|(at, _)| at.clone()).collect();
            let Some(at) = levels.get(c % levels.len().max(1)) else { return };
            let mut level = project.level(at).cloned().unwrap_or_default();
            let Some((_, id, instance)) = from.entities().nth(b % from.entities().count().max(1)) else { return };
            for layer in &mut level.layers {
                if let LayerContent::Entities(entities) = &mut Arc::make_mut(layer).content {
                    entities.insert(id.clone(), instance.clone());
                    break;
                }
            }
            project.documents.insert(at.clone(), Arc::new(Document::Level(level)));
        }
    }
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn checking_what_changed_is_checking_everything(
        changes in prop::collection::vec((0..9_u8, any::<[u16; 3]>(), 0..12_u8), 1..24),
    ) {
        let (pool, builtin) = (pool(), builtin());
        let mut project = with(&[]);
        let mut resolution = Resolution::default();
        let mut checked = Checked::default();
        let mut images = images();
        for (kind, which, image) in changes {
            make(&mut project, &pool, kind, which.map(usize::from));
            if image == 0 {
                images.remove(&path("sprites/coin.png"));
            }
            resolution = resolve(&project, &builtin, Some(&resolution));
            let again = check_again(&project, &resolution, Some(&images), Some(&checked));
            let full = check_again(&project, &resolve(&project, &builtin, None), Some(&images), None);
            prop_assert_eq!(&again.problems, &full.problems);
            checked = again;
        }
    }
}

/// After one edit among many definitions, the problems of the others are not found anew.
#[test]
fn an_edit_leaves_the_problems_of_others_alone() {
    let say = |max: f64| format!("(inherits: [\"base\"], set: (Health: (max: {max:?})))");
    let text: String = (0..200).map(|i| format!("\"d{i}\": {},\n", say(10.0))).collect();
    let text = format!("{{ \"base\": (set: (Health: (max: 10.0))),\n{text} }}");
    let mut project = with(&[("entities/more.ron", &text)]);
    let builtin = builtin();
    let before = resolve(&project, &builtin, None);
    let checked = check_again(&project, &before, None, None);
    assert_eq!(checked.problems.len(), 200, "each says what it inherits");
    let mut file = project.entities(&path("entities/more.ron")).unwrap().clone();
    let other = with(&[("entities/more.ron", &format!("{{ \"d7\": {} }}", say(11.0)))]);
    file.defs.insert("d7".into(), other.def(&path("entities/more.ron"), "d7").unwrap().clone());
    project.documents.insert(path("entities/more.ron"), Arc::new(Document::Entities(file)));
    let after = check_again(&project, &resolve(&project, &builtin, Some(&before)), None, Some(&checked));
    assert_eq!(after.problems.len(), 199);
    let kept = after.problems.iter().filter(|it| checked.problems.iter().any(|known| Arc::ptr_eq(known, it)));
    assert_eq!(kept.count(), 199);
}
