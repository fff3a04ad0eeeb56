//! Creating, describing and ordering constants and their pages: returns the edits, or why there are none.
//!
//! Invariant: nothing is changed here. A built-in constant that is described gets an entry of its own in the project,
//! which holds only what differs from the built-in one. What each edit does is in `tuning`; values that are tried out
//! are in `overlay`.

use super::{Edit, RefKind, Refusal, TypedRefs};
use crate::model::{
    Builtin, DocKind, DocPath, Document, FieldPath, Name, Project, Schema, Tunable, TuningPage, Value, typed_number,
};

/// Edits, and their common label.
pub type Labeled = (String, Vec<Edit>);

/// The constants of a project, and what has to be known to change them.
#[derive(Clone, Copy, Debug)]
pub struct Constants<'p> {
    /// The project.
    pub project: &'p Project,
    /// The built-in content of every project.
    pub builtin: &'p Builtin,
    /// What can refer to a constant.
    pub schema: &'p Schema,
}

impl<'p> Constants<'p> {
    /// A new constant of a page. A number begins within its range.
    ///
    /// # Errors
    /// Why it cannot be: its name is no name or taken, or its range has no room.
    pub fn add(self, page: &Name, name: &str, wanted: &Tunable) -> Result<Labeled, Refusal> {
        let name = self.free_name(page, None, name, wanted)?;
        let mut tunable = Tunable::of(wanted.value.clone());
        describe(&mut tunable, &Tunable::of(0.0), wanted);
        if let Some(x) = tunable.value.as_f64() {
            let within = x.min(wanted.max.unwrap_or(f64::MAX)).max(wanted.min.unwrap_or(f64::MIN));
            #[expect(clippy::cast_possible_truncation, reason = "`as` saturates")]
            let value = match tunable.value {
                Value::Int(_) => Value::Int(within.round() as i64),
                _ => Value::Float(within),
            };
            tunable.value = value;
        }
        Ok((format!("Add {page}.{name}"), vec![self.put(page, name, tunable)]))
    }

    /// Give the constant `of` of a page a name, and the range, step, unit and meaning of `wanted`; its value stays.
    ///
    /// # Errors
    /// As for [`Constants::add`]; and a built-in constant keeps its name.
    pub fn describe(self, page: &Name, of: &Name, name: &str, wanted: &Tunable) -> Result<Labeled, Refusal> {
        let name = self.free_name(page, Some(of), name, wanted)?;
        let full = format!("{page}.{of}");
        let builtin = self.builtin_page(page).and_then(|it| it.values.get(of));
        let own = declared_constant(self.project, &full);
        let mut edits = Vec::new();
        if *of != name {
            let Some((doc, _)) = own.filter(|_| builtin.is_none()) else {
                return Err(Refusal::new("a built-in constant keeps its name"));
            };
            let typed = TypedRefs::of(self.schema, RefKind::Tunable);
            edits.push(Edit::rename(doc, of, &name, typed));
        }
        let before = match (own, builtin) {
            (Some((_, tunable)), _) => tunable.clone(),
            (None, Some(builtin)) => Tunable::of(builtin.value.clone()),
            (None, None) => return Err(Refusal::new(format!("`{full}` is gone"))),
        };
        let mut after = before.clone();
        describe(&mut after, builtin.unwrap_or(&Tunable::of(0.0)), wanted);
        let label = if *of == name { format!("Describe {full}") } else { format!("Rename {full} to {name}") };
        if after != before {
            edits.push(match own {
                Some((doc, _)) => Edit::set_at(doc, constant_at(&name), &after),
                None => self.put(page, name, after),
            });
        }
        Ok((label, edits))
    }

    /// A new page, the last of all.
    ///
    /// # Errors
    /// Its name is no name, or taken.
    pub fn add_page(self, title: &str) -> Result<Edit, Refusal> {
        self.check_page(title)?;
        let pages = self.project.all::<TuningPage>().map(|(_, page)| page).chain(&self.builtin.tuning);
        let last = pages.map(|page| page.order).max().unwrap_or(0);
        let page = TuningPage {
            page: title.into(),
            order: last.saturating_add(10).max(10),
            values: indexmap::IndexMap::new(),
        };
        Ok(put_page(self.project, page))
    }

    /// Another name for a page, with every use of its constants.
    ///
    /// # Errors
    /// The page is built in or nowhere, or the new name is no name, or taken.
    pub fn rename_page(self, page: &Name, to: &str) -> Result<Edit, Refusal> {
        if self.builtin_page(page).is_some() {
            return Err(Refusal::new(format!("`{page}` is built in and keeps its name")));
        }
        let doc = page_doc(self.project, page);
        let doc = doc.ok_or_else(|| Refusal::new(format!("there is no page `{page}`")))?.clone();
        if **page != *to {
            self.check_page(to)?;
        }
        let typed = TypedRefs::of(self.schema, RefKind::Page);
        Ok(Edit::rename(&doc, page, to, typed))
    }

    fn builtin_page(self, page: &str) -> Option<&'p TuningPage> {
        self.builtin.page(page)
    }

    fn check_page(self, title: &str) -> Result<(), Refusal> {
        if title.is_empty() {
            Err(Refusal::new("a page needs a name"))
        } else if title.contains('.') {
            Err(Refusal::new("a constant's name has no dot, which separates it from its page"))
        } else if page_doc(self.project, title).is_some() || self.builtin_page(title).is_some() {
            Err(Refusal::new(format!("there is already a page `{title}`")))
        } else {
            Ok(())
        }
    }

    /// The name for a constant, if it and the range are valid.
    fn free_name(self, page: &Name, of: Option<&Name>, name: &str, wanted: &Tunable) -> Result<Name, Refusal> {
        let name: Name = name.trim().into();
        if name.is_empty() {
            return Err(Refusal::new("a constant needs a name"));
        }
        if name.contains('.') {
            return Err(Refusal::new("a constant's name has no dot, which separates it from its page"));
        }
        let is_builtin = self.builtin_page(page).is_some_and(|it| it.values.contains_key(&name));
        let is_known = is_builtin || declared_constant(self.project, &format!("{page}.{name}")).is_some();
        if of != Some(&name) && is_known {
            return Err(Refusal::new(format!("there is already a constant `{name}` on this page")));
        }
        if let (Some(min), Some(max)) = (wanted.min, wanted.max)
            && min > max
        {
            return Err(Refusal::new("the smallest value is above the largest"));
        }
        Ok(name)
    }

    /// The edit that puts a constant on a page: in the page's file, else in a new one.
    fn put(self, page: &Name, name: Name, tunable: Tunable) -> Edit {
        match page_doc(self.project, page) {
            Some(doc) => Edit::set_at(doc, constant_at(&name), &tunable),
            None => {
                let page = TuningPage { page: page.clone(), order: 0, values: [(name, tunable)].into_iter().collect() };
                put_page(self.project, page)
            }
        }
    }
}

/// Give a constant the wanted range, step, unit and meaning; what the built-in one has as well is left out.
fn describe(it: &mut Tunable, builtin: &Tunable, wanted: &Tunable) {
    it.min = wanted.min.filter(|_| wanted.min != builtin.min);
    it.max = wanted.max.filter(|_| wanted.max != builtin.max);
    it.step = wanted.step.filter(|_| wanted.step != builtin.step);
    let unit = wanted.unit.as_deref().unwrap_or_default().trim();
    it.unit = (!unit.is_empty() && builtin.unit.as_deref() != Some(unit)).then(|| unit.to_owned());
    let doc = wanted.doc.trim();
    it.doc = if doc == builtin.doc { String::new() } else { doc.to_owned() };
}

/// The file of a page, if the project has one.
#[must_use]
pub fn page_doc<'p>(project: &'p Project, page: &str) -> Option<&'p DocPath> {
    project.all::<TuningPage>().find(|(_, file)| *file.page == *page).map(|(path, _)| path)
}

/// A number as people type it that may be left out.
///
/// # Errors
/// It is no number.
pub fn optional_number(text: &str) -> Result<Option<f64>, Refusal> {
    let text = text.trim().replace(',', ".");
    if text.is_empty() {
        return Ok(None);
    }
    typed_number(&text).map(Some).ok_or_else(|| Refusal::new(format!("“{text}” is no number")))
}

/// The edits that move a page one place up or down among pages given as name, order and file; `None` where it cannot go
/// there because the pages around it are built-in ones.
#[must_use]
pub fn reorder_pages(pages: &[(Name, i64, Option<DocPath>)], at: usize, is_up: bool) -> Option<Vec<Edit>> {
    let to = if is_up { at.checked_sub(1)? } else { at + 1 };
    let ((name, order, doc), (_, other_order, other_doc)) = (pages.get(at)?, pages.get(to)?);
    let doc = doc.as_ref()?;
    let set = |doc: &DocPath, order: i64| Edit::set_at(doc, FieldPath::keys(["order"]), &order);
    // Order 0 is undeclared: the built-in order counts then.
    if let (Some(other), true) = (other_doc, order != other_order && *order != 0 && *other_order != 0) {
        return Some(vec![set(doc, *other_order), set(other, *order)]);
    }
    let step = if is_up { -1 } else { 1 };
    let fits = |candidate: i64| {
        let place = |(i, (name, order, _)): (usize, &'_ (Name, i64, _))| {
            (if i == at { candidate } else { *order }, name.clone())
        };
        let mut sorted: Vec<(i64, Name)> = pages.iter().enumerate().map(place).collect();
        sorted.sort_unstable();
        candidate != 0 && sorted.get(to).is_some_and(|(_, there)| there == name)
    };
    let candidates = [*other_order, other_order.saturating_add(step)];
    candidates.into_iter().find(|it| fits(*it)).map(|order| vec![set(doc, order)])
}

/// The place of a constant in its page.
pub(super) fn constant_at(name: &str) -> FieldPath {
    FieldPath::keys(["values", name])
}

/// The edit that adds a page as a new file.
pub(super) fn put_page(project: &Project, page: TuningPage) -> Edit {
    let doc = free_file(project, &page.page);
    Edit::put_document(doc, Document::Tuning(page))
}

/// Where a project declares a constant, `Page.name`.
#[must_use]
pub fn declared_constant<'p>(project: &'p Project, name: &str) -> Option<(&'p DocPath, &'p Tunable)> {
    let (page, name) = name.split_once('.')?;
    let mut pages = project.documents.iter().filter_map(|(path, doc)| match &**doc {
        Document::Tuning(file) if &*file.page == page => Some((path, file)),
        _ => None,
    });
    pages.find_map(|(path, file)| Some((path, file.values.get(name)?)))
}

/// A path in the tuning folder that is not taken, called after a page.
#[must_use]
pub fn free_file(project: &Project, page: &str) -> DocPath {
    let path = DocPath::in_folder(DocKind::Tuning, page);
    let others = (2..=project.documents.len() + 2).map(|n| DocPath::in_folder(DocKind::Tuning, &format!("{page}_{n}")));
    let free = |path: &DocPath| !project.documents.contains_key(path);
    std::iter::once(path.clone()).chain(others).find(free).unwrap_or(path)
}
