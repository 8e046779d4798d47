import { useLocation, useRoute } from 'wouter';
import { shownAlarms, sortedAlarms } from '../api/alarm-kind.ts';
import { useStatus } from '../api/queries.ts';
import { part } from '../ui/part/part.tsx';

/** Loaded with the first alarm. */
const BannerLine = part(async () => (await import('../ui/alarm/banner-line.tsx')).BannerLine, {
  Frame: ({ note }) => note,
});

/**
 * The newest unacknowledged alarm that requires immediate action. Not on the Overview, whose panel lists every alarm
 * with the same buttons, and not in the editor, where the counts in the bar and the badges of the nodes show it.
 */
export function AlarmBanner() {
  const [path] = useLocation();
  const [drawing, drawn] = useRoute('/pipelines/:project/:pipeline');
  const alarms = shownAlarms(useStatus().data?.alarms ?? []);
  const newest = sortedAlarms(alarms).find(
    ({ severity, acknowledgedAt }) => severity === 'alarm' && acknowledgedAt === null,
  );
  if (newest === undefined || path === '/' || (drawing && drawn !== null)) return null;
  return (
    <div className="banner" role="alert">
      <BannerLine alarm={newest} path={path} />
    </div>
  );
}
