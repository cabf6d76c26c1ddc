/** Of the two tones, Hz. */
const TONES = [880, 660] as const;
const TONE_S = 0.14;
const LOUDNESS = 0.12;
/** So long no other tab of this browser sounds for the same: in a storm tabs look once a minute, each at its own time. */
const MINE_MS = 61_000;

/** One short sound; nothing where the browser does not allow it yet. */
const play = (): void => {
  const audio = new AudioContext();
  const volume = audio.createGain();
  volume.connect(audio.destination);
  volume.gain.setValueAtTime(LOUDNESS, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + TONES.length * TONE_S);
  for (const [at, hz] of TONES.entries()) {
    const tone = audio.createOscillator();
    tone.frequency.value = hz;
    tone.connect(volume);
    tone.start(audio.currentTime + at * TONE_S);
    tone.stop(audio.currentTime + (at + 1) * TONE_S);
    if (at === TONES.length - 1) tone.onended = () => void audio.close();
  }
};

const held = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, MINE_MS));

/** Sounds once for `what`, in one of the tabs. */
export const chime = (what: string): void => {
  if (!('locks' in navigator)) {
    if (!document.hidden) play();
    return;
  }
  void navigator.locks.request(`faultline-chime ${what}`, { ifAvailable: true }, async (lock) => {
    if (lock === null) return;
    play();
    await held();
  });
};
