import { durationText } from '#domain/numbers.ts';
import type { Range } from '#features/ai/rules/time/range.ts';

const formats = (zone: string) => ({
  day: new Intl.DateTimeFormat('en-GB', { timeZone: zone, day: 'numeric', month: 'short' }),
  time: new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  offset: new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'shortOffset' }),
});

/** A range as parameters of tools name it. */
export const isoRange = ({ from, to }: Range): string =>
  `${new Date(from).toISOString()} to ${new Date(to).toISOString()}`;

/** Times as the reader's clock shows them, with their age. */
export class ZoneClock {
  readonly #formats: ReturnType<typeof formats>;
  readonly #now: number;
  constructor(zone: string, now: number) {
    this.#formats = formats(zone);
    this.#now = now;
  }

  #offset(ms: number): string {
    const part = this.#formats.offset.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
    return part.replace('GMT', 'UTC').replace(/[+-]0$/, '');
  }

  /** `04:40 UTC`, of another day `28 Nov, 04:40 UTC`. */
  time(at: string | number): string {
    const ms = typeof at === 'string' ? Date.parse(at) : at;
    const { day, time } = this.#formats;
    const isToday = day.format(ms) === day.format(this.#now) && this.#now - ms < 86_400_000;
    return `${isToday ? '' : `${day.format(ms)}, `}${time.format(ms)} ${this.#offset(ms)}`;
  }

  /** `04:40 UTC, 2h 39m ago`. */
  ago(at: string | number): string {
    const ms = typeof at === 'string' ? Date.parse(at) : at;
    return `${this.time(ms)}, ${durationText(Math.max(0, this.#now - ms))} ago`;
  }

  span(from: string, to: string): string {
    return `${this.time(from)} to ${this.time(to)} (${durationText(Math.max(0, Date.parse(to) - Date.parse(from)))})`;
  }

  range({ from, to }: Range): string {
    return to >= this.#now - 60_000 ? `since ${this.time(from)}` : `from ${this.time(from)} to ${this.time(to)}`;
  }
}
