import type { OnCallShift } from './on-call.ts';

/** Reads iCalendar files. */
export interface Calendars {
  /** The shifts that meet a range, ms, by start. Throws Error with the reason if the file cannot be read. */
  shiftsOf(text: string, range: { readonly from: number; readonly to: number }): readonly OnCallShift[];
}

declare module '#domain/ports/ports.ts' {
  interface Ports {
    readonly calendars: Calendars;
  }
}
