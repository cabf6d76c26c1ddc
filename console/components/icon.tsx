/** Outlines in a box of 16 by 16, drawn in the color of the text. */
const PATHS = {
  home: 'M2.5 7.5 8 3l5.5 4.5v6h-11zM6.5 13.5v-4h3v4',
  bell: 'M8 2.5a3.5 3.5 0 0 1 3.5 3.5v3l1.5 2.5H3L4.5 9V6A3.5 3.5 0 0 1 8 2.5zM6.5 13.5h3',
  noise: 'M2.5 6.5v3h2.5l3.5 3v-9L5 6.5zM11 6a3 3 0 0 1 0 4M13 4a6 6 0 0 1 0 8',
  groups: 'M2 4.5h12M2 8h8M2 11.5h10',
  events: 'M3 2.5h10v11H3zM5.5 5.5h5M5.5 8h5M5.5 10.5h3',
  silence: 'M8 2.5a3 3 0 0 1 3 3v3l1.5 2h-9l1.5-2v-3a3 3 0 0 1 3-3zM6.5 13h3M2.5 2.5l11 11',
  topology: 'M8 2v4M8 6 4 10M8 6l4 4M6.5 2h3M2.5 10h3v3.5h-3zM10.5 10h3v3.5h-3z',
  landscape: 'M2.5 2.5h11v11h-11zM8.5 2.5v11M8.5 7h5M2.5 9h6',
  cis: 'M2.5 2.5h11v4h-11zM2.5 9.5h11v4h-11zM5 4.5h.01M5 11.5h.01',
  services: 'M2 8h3l2-5 2.5 10L11.5 8H14',
  tuning: 'M3 4h6M12 4h1M3 8h1M7 8h6M3 12h5M11 12h2M9 2.5v3M4 6.5v3M8 10.5v3',
  sources: 'M8 2v7M5 6l3 3 3-3M2.5 10v3.5h11V10',
  import: 'M8 10V2.5M5 5.5l3-3 3 3M2.5 10v3.5h11V10',
  discovery: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.2 10.2 14 14',
  pipeline: 'M1.5 8h3M6.5 8h3M11.5 8h3M4.5 6v4M9.5 6v4',
  changes: 'M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v3M10.5 2v3M5.5 10l2 1.5 3-3',
  reports: 'M3.5 13.5v-5M8 13.5v-11M12.5 13.5V6',
  admin: 'M8 2 3 4v4c0 3 2 5 5 6 3-1 5-3 5-6V4z',
  start: 'M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM6.8 5.8l3.4 2.2-3.4 2.2z',
  screen: 'M2 3h12v8H2zM5.5 13.5h5',
  help: 'M6 6.2a2 2 0 1 1 2.8 1.8c-.6.3-.8.6-.8 1.3M8 11.6h.01M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2z',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.2 10.2 14 14',
  close: 'M4 4l8 8M12 4l-8 8',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  up: 'M4 10l4-4 4 4',
  down: 'M4 6l4 4 4-4',
  right: 'M6 4l4 4-4 4',
  left: 'M10 4 6 8l4 4',
  copy: 'M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1',
  check: 'M3 8.5l3.5 3.5L13 5',
  menu: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  star: 'M8 2.2l1.8 3.7 4 .6-2.9 2.8.7 4L8 11.4l-3.6 1.9.7-4L2.2 6.5l4-.6z',
  edit: 'M3 13l.6-3L10.5 3l2.5 2.5L6 12.4zM9 4.6 11.4 7',
  chat: 'M2.5 3h11v8H8l-3 2.5V11H2.5zM5.5 6h5M5.5 8h3',
  plus: 'M8 3v10M3 8h10',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg viewBox="0 0 16 16" width={size} height={size} aria-hidden focusable="false" style={{ flex: 'none' }}>
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
