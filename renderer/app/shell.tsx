import { useRef, type MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import type { Alarm, UserRecord } from '#common/model/records.ts';
import { alarmKind, alarmPlace, sortedAlarms, STORE_FORWARD } from '../api/alarm-kind.ts';
import { useLiveEvents } from '../api/live.ts';
import { useStatus } from '../api/queries.ts';
import { usePermission } from '../api/session.ts';
import { clockTime } from '../ui/format.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Note } from '../ui/note.tsx';
import { Shape } from '../ui/shape.tsx';
import { AlarmBanner } from './alarm-banner.tsx';
import { ToastHost } from '../ui/toast.tsx';
import { Pages } from './pages.tsx';
import { TopBar } from './top-bar.tsx';

/** The frame of every page after log-in. */
export function Shell({ user }: { user: UserRecord }) {
  const { t } = useTranslation();
  const main = useRef<HTMLElement>(null);
  useLiveEvents();
  // The address stays as it is: it is copied, and the way back leads to other pages.
  const skip = (event: MouseEvent) => {
    event.preventDefault();
    main.current?.focus();
  };
  return (
    <div className="app">
      <a className="skip" href="#content" onClick={skip}>
        {t('nav.skip')}
      </a>
      <TopBar user={user} />
      <Rail />
      <AlarmBanner />
      <main id="content" className="main" ref={main} tabIndex={-1}>
        <StaleNote />
        <Pages />
      </main>
      <ToastHost />
    </div>
  );
}

/** Nothing on the page is newer than this when the appliance has stopped answering. */
function StaleNote() {
  const { t } = useTranslation();
  const status = useStatus();
  if (!status.isError || status.dataUpdatedAt === 0) return null;
  return <Note kind="error" title={t('error.staleSince', { time: clockTime(new Date(status.dataUpdatedAt)) })} />;
}

interface Place {
  href: string;
  name: 'overview' | 'pipelines' | 'routes' | 'storeForward' | 'journal' | 'data' | 'settings' | 'help';
  icon: IconName;
  shown: boolean;
}

function usePlaces(): Place[] {
  const mayAudit = usePermission('view_audit');
  const maySettings = usePermission('access_settings');
  const mayKeys = usePermission('manage_keys');
  const mayPeople = usePermission('manage_users');
  return [
    { href: '/', name: 'overview', icon: 'overview', shown: true },
    { href: '/pipelines', name: 'pipelines', icon: 'pipelines', shown: true },
    { href: '/routes', name: 'routes', icon: 'routes', shown: true },
    { href: STORE_FORWARD, name: 'storeForward', icon: 'store', shown: true },
    { href: '/journal', name: 'journal', icon: 'journal', shown: mayAudit },
    { href: '/data', name: 'data', icon: 'data', shown: true },
    {
      href: '/settings',
      name: 'settings',
      icon: 'settings',
      shown: maySettings || mayKeys || mayPeople,
    },
    { href: '/help', name: 'help', icon: 'help', shown: true },
  ];
}

function Rail() {
  const { t } = useTranslation();
  const [path] = useLocation();
  const here = (href: string) => (href === '/' ? path === '/' : path.startsWith(href));
  const places = usePlaces().filter((place) => place.shown);
  return (
    <nav className="rail" aria-label={t('nav.main')}>
      {places.map((place) => (
        <Link key={place.href} href={place.href} aria-current={here(place.href) ? 'page' : undefined}>
          <Icon name={place.icon} />
          <span>{t(`nav.${place.name}`)}</span>
          <Badge href={place.href} />
        </Link>
      ))}
    </nav>
  );
}

/** On the page with the remedy for the most urgent of its alarms. */
function Badge({ href }: { href: string }) {
  const { t } = useTranslation();
  const alarms = useStatus().data?.alarms ?? [];
  const first = sortedAlarms(alarms).find((alarm) => alarmKind(alarm) !== 'advisory' && isMendedAt(alarm, href));
  if (first === undefined) return null;
  const kind = alarmKind(first);
  return (
    <span className="badge">
      <Shape name={kind} label={t(`alarmKind.${kind}`)} small />
    </span>
  );
}

function isMendedAt(alarm: Alarm, href: string): boolean {
  const place = alarmPlace(alarm);
  return place !== null && href !== '/' && place.href.startsWith(href);
}
