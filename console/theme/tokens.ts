/** All colors, sizes and distances of the console. Components use them as `var(--fl-…)` and know no other. */

export const THEMES = ['light', 'dark', 'contrast'] as const;
export type ThemeName = (typeof THEMES)[number];

const light = {
  ground: '#f4f6f8',
  panel: '#ffffff',
  raised: '#ffffff',
  sunken: '#eceff3',
  hover: '#f1f4f8',
  selected: '#e5eefc',
  line: '#dfe4ea',
  edge: '#7d8896',
  text: '#17202b',
  dim: '#546170',
  accent: '#1b5cc0',
  onAccent: '#ffffff',
  critical: '#c01f2c',
  major: '#b54708',
  minor: '#8a6100',
  warning: '#66682b',
  info: '#5b6776',
  good: '#1d7443',
  caution: '#8a5300',
  cautionGround: '#fff3da',
  badGround: '#fdecec',
  goodGround: '#e5f4ea',
} as const;

export type Colour = keyof typeof light;
type Colours = Readonly<Record<Colour, string>>;

const dark: Colours = {
  ground: '#0e1217',
  panel: '#151a21',
  raised: '#1c232c',
  sunken: '#0b0e12',
  hover: '#1b222a',
  selected: '#1a2b45',
  line: '#28313b',
  edge: '#6f7c8b',
  text: '#e3e9ef',
  dim: '#a0acb9',
  accent: '#7db0fb',
  onAccent: '#0a1526',
  critical: '#ff7f7d',
  major: '#ffa05c',
  minor: '#e8bb4d',
  warning: '#c0bd78',
  info: '#9eaab8',
  good: '#6fce93',
  caution: '#ebbd55',
  cautionGround: '#2a2210',
  badGround: '#331a1c',
  goodGround: '#12291b',
};

const contrast: Colours = {
  ground: '#000000',
  panel: '#000000',
  raised: '#000000',
  sunken: '#000000',
  hover: '#1f1f1f',
  selected: '#00305c',
  line: '#9a9a9a',
  edge: '#ffffff',
  text: '#ffffff',
  dim: '#e8e8e8',
  accent: '#9cd0ff',
  onAccent: '#000000',
  critical: '#ff9c9c',
  major: '#ffb370',
  minor: '#ffd75e',
  warning: '#e4e08c',
  info: '#d5dbe2',
  good: '#8cf0b0',
  caution: '#ffd75e',
  cautionGround: '#261d00',
  badGround: '#330000',
  goodGround: '#002611',
};

export const COLOURS: Readonly<Record<ThemeName, Colours>> = { light, dark, contrast };

/** Sizes of text, px at 100 %: notes, scanned text, body text, headings of panels, pages, large numbers. */
export const TYPE = { note: 12, scan: 13, read: 14, head: 16, page: 20, large: 28 } as const;
/** Distances, px. */
export const SPACE = { 1: 2, 2: 4, 3: 8, 4: 12, 5: 16, 6: 24, 7: 32 } as const;
const RADIUS = { small: 4, panel: 6 } as const;

const rem = (px: number): string => `${px / 16}rem`;

/** The custom properties of a theme. */
export const variablesOf = (theme: ThemeName): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(COLOURS[theme]).map(([name, value]) => [`--fl-${name}`, value])),
  ...Object.fromEntries(Object.entries(TYPE).map(([name, px]) => [`--fl-type-${name}`, rem(px)])),
  ...Object.fromEntries(Object.entries(SPACE).map(([name, px]) => [`--fl-space-${name}`, rem(px)])),
  ...Object.fromEntries(Object.entries(RADIUS).map(([name, px]) => [`--fl-radius-${name}`, rem(px)])),
});
