import type { Text } from 'pdfmake';
import { printable } from '#features/reports/rules/values/values.ts';
import { type Fonts, MAIN } from './fonts.ts';

/** A text in the fonts that have its characters. */
export const textIn =
  ({ runs }: Fonts) =>
  (text: string): Text => {
    const all = runs(printable(text));
    return all.every(({ font }) => font === MAIN) ? all.map((run) => run.text).join('') : all;
  };

const TEXTS = />([^<>]+)<\/text>/g;

/** A picture whose texts are set in the fonts that have their characters; they are XML already. */
export const pictureIn =
  ({ runs }: Fonts) =>
  (svg: string): string =>
    svg.replaceAll(TEXTS, (whole, text: string) => {
      const all = runs(text);
      if (all.every(({ font }) => font === MAIN)) return whole;
      return `>${all.map((run) => `<tspan font-family="${run.font}">${run.text}</tspan>`).join('')}</text>`;
    });
