import { useId, useRef, type MouseEvent, type ToggleEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useRoute } from 'wouter';
import type { Alarm, UserRecord } from '#common/model/records.ts';
import { alarmPlace, shownAlarms, sortedAlarms, STORE_FORWARD } from '../api/alarm-kind.ts';
import { useSilentSince } from '../api/connection.ts';
import { useLiveEvents } from '../api/live.ts';
import { useStatus } from '../api/queries.ts';
import { usePermission } from '../api/session.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { StaleSentence } from '../ui/page-head.tsx';
import { Shape } from '../ui/shape.tsx';
import { useNarrow } from '../ui/use-narrow.ts';
import { AlarmBanner } from './alarm-banner.tsx';
import { ToastHost } from '../ui/toast.tsx';
import { Pages } from './pages.tsx';
import { TopBar } from './top-bar.tsx';

/** The frame of every page after log-in. */
export function Shell({ user }: { user: UserRecord }) {
  const { t } = useTranslation();
  const main = useRef<HTMLElement>(null);
  const rail = useId();
  const silentSince = useSilentSince();
  useLiveEvents();
  // The address is unchanged: users copy it, and the back button leads to other pages.
  const skip = (event: MouseEvent) => {
    event.preventDefault();
    main.current?.focus();
  };
  return (
    <div className={silentSince === null ? 'app' : 'app old'}>
      <a className="skip" href="#content" onClick={skip}>
        {t('nav.skip')}
      </a>
      <TopBar user={user} rail={rail} />
      <Rail id={rail} />
      <AlarmBanner />
      <main id="content" className="main" ref={main} tabIndex={-1}>
        <EditorStale since={silentSince} />
        <Pages />
      </main>
      <ToastHost />
    </div>
  );
}

/** The editor has no opening sentence (page-head.tsx) for it. */
function EditorStale({ since }: { since: Date | null }) {
  const [isEditor, place] = useRoute('/pipelines/:project/:pipeline');
  return isEditor && place !== null && since !== null ? <StaleSentence since={since} /> : null;
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

/** On a narrow screen a drawer, which a button in the bar opens. */
function Rail({ id }: { id: string }) {
  const { t } = useTranslation();
  const machine = useStatus().data?.machine.name;
  const narrow = useNarrow();
  const nav = useRef<HTMLElement>(null);
  const close = () => narrow && nav.current?.hidePopover();
  const [path] = useLocation();
  const here = (href: string) => (href === '/' ? path === '/' : path.startsWith(href));
  const places = usePlaces().filter((place) => place.shown);
  return (
    <nav
      className="rail"
      id={id}
      ref={nav}
      aria-label={t('nav.main')}
      popover={narrow ? 'auto' : undefined}
      onToggle={focusCurrent}
    >
      {narrow && <p className="rail-name">{machine}</p>}
      {places.map((place) => (
        <Link key={place.href} href={place.href} aria-current={here(place.href) ? 'page' : undefined} onClick={close}>
          <Icon name={place.icon} />
          <span>{t(`nav.${place.name}`)}</span>
          <Badge href={place.href} />
        </Link>
      ))}
    </nav>
  );
}

function focusCurrent({ newState, currentTarget }: ToggleEvent<HTMLElement>): void {
  if (newState === 'open') currentTarget.querySelector<HTMLElement>('[aria-current], a')?.focus();
}

/** Leads to the page with the remedy for its most urgent alarm. */
function Badge({ href }: { href: string }) {
  const { t } = useTranslation();
  const alarms = shownAlarms(useStatus().data?.alarms ?? []);
  const first = sortedAlarms(alarms).find((alarm) => alarm.severity !== 'advisory' && isMendedAt(alarm, href));
  if (first === undefined) return null;
  return (
    <span className="badge">
      <Shape name={first.severity} label={t(`alarmKind.${first.severity}`)} small />
    </span>
  );
}

function isMendedAt(alarm: Alarm, href: string): boolean {
  const place = alarmPlace(alarm);
  return place !== null && href !== '/' && place.href.startsWith(href);
}
