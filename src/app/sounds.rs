//! Sounds that are heard: decoded in jobs, played by the system's output. Without the feature `sound` none is.
//!
//! Invariant: nothing waits for a sound. A device that is not there, or a file that cannot be decoded, is a notice,
//! once.

use super::editor::Editor;
use crate::editor::Heard;

#[cfg(feature = "sound")]
pub(super) use output::{Made, Sounds};

/// No sounds.
#[cfg(not(feature = "sound"))]
#[derive(Default)]
pub(super) struct Sounds {}

#[cfg(not(feature = "sound"))]
#[expect(clippy::unused_self, reason = "with the feature there are sounds")]
impl Sounds {
    /// A file has another content, or is gone.
    pub(super) fn forget(&mut self, _path: &str) {}

    /// Another project is open.
    pub(super) fn forget_all(&mut self) {}

    /// End what the running level plays.
    fn silence(&mut self) {}
}

impl Editor {
    /// Play what the running level is heard to do since the last frame; end what it plays when it is not heard any
    /// more.
    pub(super) fn play_sounds(&mut self) {
        let heard = self.host.take_heard(&self.bench.view.cameras);
        if self.host.preview().is_none_or(|preview| !preview.is_heard()) || self.bench.view.is_muted {
            self.sounds.silence();
            return;
        }
        heard.iter().for_each(|heard| self.hear(heard));
    }

    /// Play a sound of the project.
    #[cfg(not(feature = "sound"))]
    #[expect(clippy::unused_self, reason = "with the feature it is played")]
    pub(super) fn hear(&mut self, _heard: &Heard) {}

    /// Play a sound of the project.
    #[cfg(feature = "sound")]
    pub(super) fn hear(&mut self, heard: &Heard) {
        let root = self.workspace.files().sources().root.clone();
        for job in self.sounds.play(heard, &root) {
            self.jobs.spawn(super::job::Job::Sound, move || super::events::Event::Sound(job()));
        }
    }

    /// Take over what was decoded or opened.
    #[cfg(feature = "sound")]
    pub(super) fn sound_made(&mut self, made: Made) {
        if let Some(notice) = self.sounds.take(made) {
            self.notify(notice);
        }
    }
}

#[cfg(feature = "sound")]
mod output {
    use std::{collections::BTreeMap, io::Cursor, path::Path, time::Duration};

    use rodio::{
        Decoder, DeviceSinkBuilder, MixerDeviceSink, Player, Source as _, buffer::SamplesBuffer, source::ChannelVolume,
    };

    use crate::{editor::Heard, io, model::DocPath};

    /// The most sounds played at once; one more ends the one that began first.
    const MAX_VOICES: usize = 32;
    /// How much of a sound is played.
    const LONGEST: Duration = Duration::from_mins(1);

    /// What a job made.
    pub(in crate::app) enum Made {
        /// The device, or why there is none.
        Device(Result<MixerDeviceSink, String>),
        /// The sound of a path, or why it cannot be played.
        Decoded(String, Result<SamplesBuffer, String>),
    }

    /// What opens the device or decodes a sound.
    pub(in crate::app) type Making = Box<dyn FnOnce() -> Made + Send>;

    #[derive(Default)]
    enum Device {
        #[default]
        Unopened,
        Opening,
        Open(MixerDeviceSink),
        None,
    }

    enum File {
        /// It is being decoded, to be played like this.
        Awaited(Heard),
        Decoded(SamplesBuffer),
        Unplayable,
    }

    /// The device, the sounds that were decoded, and those that are heard.
    #[derive(Default)]
    pub(in crate::app) struct Sounds {
        device: Device,
        /// By path from the project's root.
        files: BTreeMap<String, File>,
        /// What begins when the device is open.
        waiting: Vec<(SamplesBuffer, Heard)>,
        /// In the order in which they began, each with whether the running level plays it.
        voices: Vec<(Player, bool)>,
    }

    impl Sounds {
        /// Play a sound of the project in a folder, as soon as it is decoded. What has to be made for that is for jobs.
        pub(in crate::app) fn play(&mut self, heard: &Heard, root: &Path) -> Vec<Making> {
            let mut jobs: Vec<Making> = Vec::new();
            if matches!(self.device, Device::None) {
                return jobs;
            }
            if matches!(self.device, Device::Unopened) {
                self.device = Device::Opening;
                jobs.push(Box::new(|| Made::Device(open())));
            }
            match self.files.get_mut(&*heard.sound) {
                Some(File::Decoded(samples)) => {
                    let samples = samples.clone();
                    self.begin(samples, heard);
                }
                Some(File::Awaited(later)) => later.clone_from(heard),
                Some(File::Unplayable) => {}
                None => {
                    let (path, root) = (heard.sound.to_string(), root.to_owned());
                    self.files.insert(path.clone(), File::Awaited(heard.clone()));
                    jobs.push(Box::new(move || {
                        let decoded = decode(&root, &path);
                        Made::Decoded(path, decoded)
                    }));
                }
            }
            jobs
        }

        /// Take over what a job made. Returns what to tell the user.
        pub(in crate::app) fn take(&mut self, made: Made) -> Option<String> {
            match made {
                Made::Device(Ok(device)) => {
                    self.device = Device::Open(device);
                    for (samples, heard) in std::mem::take(&mut self.waiting) {
                        self.begin(samples, &heard);
                    }
                    None
                }
                Made::Device(Err(why)) => {
                    self.device = Device::None;
                    self.waiting.clear();
                    Some(format!("Sounds are not heard: {why}"))
                }
                Made::Decoded(path, decoded) => {
                    // One that changed meanwhile is decoded again when it is played next.
                    let File::Awaited(heard) = self.files.remove(&path)? else { return None };
                    match decoded {
                        Ok(samples) => {
                            self.begin(samples.clone(), &heard);
                            self.files.insert(path, File::Decoded(samples));
                            None
                        }
                        Err(why) => {
                            let notice = format!("{path} cannot be played: {why}");
                            self.files.insert(path, File::Unplayable);
                            Some(notice)
                        }
                    }
                }
            }
        }

        fn begin(&mut self, samples: SamplesBuffer, heard: &Heard) {
            let device = match &self.device {
                Device::Open(device) => device,
                Device::Opening if self.waiting.len() < MAX_VOICES => {
                    self.waiting.push((samples, heard.clone()));
                    return;
                }
                _ => return,
            };
            self.voices.retain(|(voice, _)| !voice.empty());
            if self.voices.len() >= MAX_VOICES {
                // Dropping one ends it.
                self.voices.remove(0);
            }
            let voice = Player::connect_new(device.mixer());
            voice.append(ChannelVolume::new(samples, heard.sides.to_vec()).speed(heard.pitch));
            self.voices.push((voice, heard.is_of_level));
        }

        /// End what the running level plays.
        pub(in crate::app) fn silence(&mut self) {
            self.voices.retain(|(_, is_of_level)| !is_of_level);
            self.waiting.retain(|(_, heard)| !heard.is_of_level);
        }

        /// A file has another content, or is gone.
        pub(in crate::app) fn forget(&mut self, path: &str) {
            self.files.remove(path);
        }

        /// Another project is open; what jobs for the one before make does not arrive.
        pub(in crate::app) fn forget_all(&mut self) {
            self.voices.clear();
            self.waiting.clear();
            self.files.clear();
            if matches!(self.device, Device::Opening) {
                self.device = Device::Unopened;
            }
        }
    }

    fn open() -> Result<MixerDeviceSink, String> {
        let builder = DeviceSinkBuilder::from_default_device().map_err(|why| why.to_string())?;
        let builder = builder.with_error_callback(|why| tracing::warn!("sound: {why}"));
        let mut device = builder.open_stream().map_err(|why| why.to_string())?;
        device.log_on_drop(false);
        Ok(device)
    }

    fn decode(root: &Path, path: &str) -> Result<SamplesBuffer, String> {
        let doc = DocPath::new(path).ok_or_else(|| "it is not a path inside the project".to_owned())?;
        let bytes = io::read_sound(root, &doc).map_err(|why| why.to_string())?;
        let decoder = Decoder::new(Cursor::new(bytes)).map_err(|why| why.to_string())?;
        let (channels, rate) = (decoder.channels(), decoder.sample_rate());
        let samples: Vec<f32> = decoder.take_duration(LONGEST).collect();
        Ok(SamplesBuffer::new(channels, rate, samples))
    }
}
