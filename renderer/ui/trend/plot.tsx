import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { plotOptions, type Colours, type Drawing } from './plot-options.ts';
import { alignedColumns, moved, type TimeRange } from './trend-points.ts';

export interface PlotProps {
  /** The content of the drawing for screen readers. */
  label: string;
  drawing: Drawing;
  height: number;
  syncKey: string | null;
  withTimes: boolean;
  onCursor: (at: number | null) => void;
  onRange: ((range: TimeRange) => void) | undefined;
}

/** The chart itself. A separate module, so that uPlot is loaded with the first chart and not before. */
export function Plot(props: PlotProps) {
  const { i18n } = useTranslation();
  const theme = useTheme();
  const locale = i18n.language === 'en' ? 'en-GB' : i18n.language;
  // Only other lines, colours or texts need another chart: new values are added to the existing one.
  const lines = props.drawing.series.map(({ label, place, dash, bars }) => [label, place, dash, bars]);
  const form = JSON.stringify([lines, theme, locale, props.height, props.syncKey, props.withTimes]);
  return <Canvas key={form} {...props} locale={locale} />;
}

function Canvas({
  label,
  drawing,
  height,
  syncKey,
  withTimes,
  onCursor,
  onRange,
  locale,
}: PlotProps & { locale: string }) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const latest = useLatest({ drawing, onCursor, onRange });
  const selectable = onRange !== undefined;
  useLayoutEffect(() => {
    const { current: root } = place;
    if (root === null) return undefined;
    const setting = {
      colours: coloursAt(root),
      locale,
      height,
      syncKey,
      withTimes,
      drawing: () => latest.current.drawing,
      onCursor: (at: number | null) => latest.current.onCursor(at),
      onRange: selectable ? (range: TimeRange) => latest.current.onRange?.(range) : undefined,
    };
    const made = new uPlot(plotOptions(setting, root.clientWidth), dataOf(latest.current.drawing), root);
    plot.current = made;
    const watch = new ResizeObserver(() => made.setSize({ width: root.clientWidth, height }));
    watch.observe(root);
    const leave = selectable ? panWithShift(made, latest) : () => undefined;
    return () => {
      leave();
      watch.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [locale, height, syncKey, withTimes, selectable, latest]);
  useEffect(() => plot.current?.setData(dataOf(drawing)), [drawing]);
  return <div className="plot-place" ref={place} {...{ role: 'img', 'aria-label': label }} />;
}

function useLatest<T>(value: T): React.RefObject<T> {
  const ref = useRef(value);
  useLayoutEffect(() => {
    ref.current = value;
  });
  return ref;
}

function dataOf({ series }: Drawing): uPlot.AlignedData {
  const { times, values } = alignedColumns(series);
  return [times, ...values];
}

/** Changes when the page switches between light and dark. */
function useTheme(): number {
  const [turns, setTurns] = useState(0);
  useEffect(() => {
    const turn = () => setTurns((before) => before + 1);
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', turn);
    const page = new MutationObserver(turn);
    page.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] });
    return () => {
      system.removeEventListener('change', turn);
      page.disconnect();
    };
  }, []);
  return turns;
}

const LINES = ['--c-1', '--c-2', '--c-3', '--c-4'];

/** Resolved colours: a probe element gets each variable, and the browser computes the colour. */
function coloursAt(root: HTMLElement): Colours {
  const probe = document.createElement('span');
  root.append(probe);
  const read = (variable: string) => {
    probe.style.color = `var(${variable})`;
    return getComputedStyle(probe).color;
  };
  const colours = {
    lines: LINES.map(read),
    band: read('--c-band'),
    grid: read('--c-grid'),
    text: read('--t-3'),
    label: read('--t-1'),
  };
  probe.remove();
  return colours;
}

/** With Shift, a drag moves the range instead of selecting one. */
function panWithShift(plot: uPlot, latest: React.RefObject<Pick<PlotProps, 'drawing' | 'onRange'>>): () => void {
  const { over } = plot;
  let begun: { x: number; range: TimeRange } | null = null;
  const down = (event: PointerEvent) => {
    if (!event.shiftKey) return;
    begun = { x: event.clientX, range: latest.current.drawing };
    over.setPointerCapture(event.pointerId);
  };
  const keepFromSelecting = (event: MouseEvent) => {
    if (event.shiftKey) event.stopImmediatePropagation();
  };
  const up = (event: PointerEvent) => {
    if (begun === null) return;
    const share = (begun.x - event.clientX) / over.clientWidth;
    if (share !== 0) latest.current.onRange?.(moved(begun.range, share));
    begun = null;
  };
  over.addEventListener('pointerdown', down);
  over.addEventListener('pointerup', up);
  // In the capture phase, so that it runs before uPlot's own handler.
  over.addEventListener('mousedown', keepFromSelecting, { capture: true });
  return () => {
    over.removeEventListener('pointerdown', down);
    over.removeEventListener('pointerup', up);
    over.removeEventListener('mousedown', keepFromSelecting, { capture: true });
  };
}
