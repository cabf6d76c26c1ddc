import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import { useSettings } from '#console/hooks/use-settings.ts';
import { useZonedTimes } from '#console/hooks/use-times.ts';
import classes from './chart.module.css';
import type { ChartProps } from './chart-props.ts';

const HEIGHT = 150;
const TEXT = '12px ui-sans-serif, system-ui, sans-serif';

const coloursOf = (element: Element) => {
  const style = getComputedStyle(element);
  const of = (name: string): string => style.getPropertyValue(`--fl-${name}`).trim();
  return { strong: of('accent'), weak: of('line'), text: of('dim'), line: of('line') };
};

/** Short enough for the axis: `1.2k`. */
const axisNumber = (value: number): string =>
  Intl.NumberFormat('en', { notation: value >= 10_000 ? 'compact' : 'standard', maximumFractionDigits: 2 }).format(
    value,
  );

/** The drawing itself, with its library; `chart.tsx` loads it. */
export function TimeChart({ at, series, strong, unit }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const { zone, theme } = useSettings();
  const { clockTime } = useZonedTimes();
  const scheme = useComputedColorScheme();
  const drawn = JSON.stringify([series.map(({ name }) => name), strong, unit, zone, theme, scheme]);
  const chart = useRef<UPlot | null>(null);
  const data = [at, ...series.map(({ values }) => values)] as UPlot.AlignedData;
  const newest = useRef(data);
  newest.current = data;

  // biome-ignore lint/correctness/useExhaustiveDependencies: redrawn when its look changes, not for each number.
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const colours = coloursOf(element);
    const axis = { stroke: colours.text, font: TEXT, ticks: { show: false }, grid: { stroke: colours.line, width: 1 } };
    const made = new UPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false } },
        scales: { y: { range: (_, __, max) => [0, Math.max(max * 1.1, 1)] } },
        axes: [
          {
            ...axis,
            grid: { show: false },
            space: 70,
            values: (_, splits) => splits.map((seconds) => clockTime(seconds * 1_000).slice(0, 5)),
          },
          { ...axis, size: 64, space: 36, values: (_, splits) => splits.map((n) => `${axisNumber(n)}${unit}`) },
        ],
        series: [
          {},
          ...series.map(({ name }) => ({
            label: name,
            stroke: strong === null || name === strong ? colours.strong : colours.weak,
            width: name === strong || strong === null ? 2 : 1,
            points: { show: false },
            spanGaps: false,
          })),
        ],
      },
      newest.current,
      element,
    );
    chart.current = made;
    const watch = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    watch.observe(element);
    return () => {
      watch.disconnect();
      made.destroy();
      chart.current = null;
    };
  }, [drawn]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each number.
  useEffect(() => chart.current?.setData(newest.current), [at, series]);
  return <div ref={place} className={classes.canvas} />;
}
