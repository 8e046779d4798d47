/**
 * Shapes of states: each state has its own silhouette, so that colour is never the only sign. A shape is always beside
 * its text; `label` names it if the text is elsewhere.
 */
export type ShapeName =
  | 'alarm'
  | 'warning'
  | 'advisory'
  | 'running'
  | 'starting'
  | 'stopped'
  | 'paused'
  | 'unknown'
  | 'error'
  | 'passed'
  | 'refused'
  | 'counted'
  | 'skipped';

const stroke = (colour: string, width = 2) =>
  ({ stroke: colour, strokeWidth: width, fill: 'none', strokeLinecap: 'round' }) as const;

function drawing(name: ShapeName) {
  switch (name) {
    case 'alarm':
      return (
        <>
          <rect
            x="1.6"
            y="1.6"
            width="16.8"
            height="16.8"
            rx="2"
            fill="var(--alarm)"
            stroke="var(--alarm-edge)"
            strokeWidth="1.2"
          />
          <path d="M10 5v6.2M10 14v1.2" {...stroke('var(--alarm-on)', 2.4)} />
        </>
      );
    case 'warning':
      return (
        <>
          <path
            d="M10 1.8 19 17.8H1Z"
            fill="var(--warn)"
            stroke="var(--warn-edge)"
            strokeWidth="1.4"
            strokeLinejoin="round"
          />
          <path d="M10 7.6v4.6M10 14.7v.6" {...stroke('var(--warn-on)', 2.1)} />
        </>
      );
    case 'advisory':
      return (
        <>
          <path d="M10 .8 19.2 10 10 19.2 .8 10Z" fill="var(--adv)" />
          <path d="M10 9.4v4.6M10 6v.6" {...stroke('var(--adv-on)', 2.1)} />
        </>
      );
    case 'running':
      return <circle cx="10" cy="10" r="5.5" fill="var(--run)" />;
    case 'starting':
      return (
        <>
          <circle cx="10" cy="10" r="5" {...stroke('var(--run)')} />
          <path d="M10 5a5 5 0 0 1 0 10z" fill="var(--run)" />
        </>
      );
    case 'stopped':
      return <circle cx="10" cy="10" r="5" {...stroke('var(--off)')} />;
    case 'paused':
      return (
        <>
          <circle cx="10" cy="10" r="7.5" {...stroke('var(--off)', 1.8)} />
          <path d="M8 7v6M12 7v6" {...stroke('var(--off)', 1.8)} />
        </>
      );
    case 'unknown':
      return (
        <>
          <circle cx="10" cy="10" r="7.5" {...stroke('var(--off)', 1.8)} strokeDasharray="3 2.5" />
          <path d="M8.3 8.2a1.8 1.8 0 1 1 2.4 1.9c-.5.2-.7.5-.7 1M10 13.6v.3" {...stroke('var(--off)', 1.6)} />
        </>
      );
    case 'error':
      return (
        <>
          <circle cx="10" cy="10" r="8" {...stroke('var(--alarm-edge)')} />
          <path d="M10 5.6v5M10 13.6v.6" {...stroke('var(--alarm-edge)', 2.2)} />
        </>
      );
    case 'passed':
      return <path d="m4.5 10.5 3.6 3.6 7.4-8" {...stroke('var(--run)', 2.2)} />;
    case 'refused':
      return (
        <>
          <circle cx="10" cy="10" r="7.5" {...stroke('var(--t-1)')} />
          <path d="m5 15 10-10" {...stroke('var(--t-1)')} />
        </>
      );
    case 'counted':
      return (
        <>
          <circle cx="10" cy="10" r="7.5" {...stroke('var(--t-3)')} strokeDasharray="3 2" />
          <path d="m5 15 10-10" {...stroke('var(--t-3)')} />
        </>
      );
    case 'skipped':
      return <path d="M5 10h10" {...stroke('var(--off)')} strokeDasharray="2 3" />;
  }
}

/** `blink`: an unacknowledged alarm; it does not blink if the user prefers reduced motion. */
export function Shape({
  name,
  label,
  small,
  blink,
}: {
  name: ShapeName;
  label?: string;
  small?: boolean;
  blink?: boolean;
}) {
  const naming = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label };
  return (
    <svg className={`shape ${small ? 'small' : ''} ${blink ? 'blink' : ''}`} viewBox="0 0 20 20" {...naming}>
      {drawing(name)}
    </svg>
  );
}
