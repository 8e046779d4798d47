import { Button } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRefusedNews, type RefusedNews } from '#api/live.ts';
import { useRoutes } from '#api/routes-queries.ts';
import { clockTime, utcTime } from '#ui/format.ts';
import { Shape } from '#ui/shape.tsx';

/** The number of refusals that are shown, and how often the list is updated at most. */
const SHOWN_MAX = 50;
const EVERY_MS = 250;

export interface LiveRefusals {
  items: readonly RefusedNews[];
  /** Refused since this page was opened. */
  total: number;
  since: Date;
  paused: boolean;
  /** Arrived while it was paused. */
  missed: number;
  pause: (on: boolean) => void;
}

/** Refusals as they happen. All are counted; the newest of a flood are shown. */
export function useLiveRefusals(): LiveRefusals {
  const [since] = useState(() => new Date());
  const [news, setNews] = useState<{ items: readonly RefusedNews[]; total: number }>({ items: [], total: 0 });
  const [paused, setPaused] = useState<typeof news | null>(null);
  const fresh = useRef<{ items: RefusedNews[]; count: number }>({ items: [], count: 0 });
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const hear = useCallback((one: RefusedNews) => {
    fresh.current.items = [one, ...fresh.current.items].slice(0, SHOWN_MAX);
    fresh.current.count += 1;
    timer.current ??= setTimeout(() => {
      timer.current = null;
      const { items, count } = fresh.current;
      fresh.current = { items: [], count: 0 };
      setNews((before) => ({ items: [...items, ...before.items].slice(0, SHOWN_MAX), total: before.total + count }));
    }, EVERY_MS);
  }, []);
  useRefusedNews(hear);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );
  const shown = paused ?? news;
  return {
    ...shown,
    since,
    paused: paused !== null,
    missed: news.total - shown.total,
    pause: (on) => setPaused(on ? news : null),
  };
}

/** Refusals as they happen, in place of the list: each is a link to its explanation. */
export function LiveList({ live, onWhy }: { live: LiveRefusals; onWhy: (requestId: string) => void }) {
  const { t } = useTranslation();
  const { items, total, since, paused, missed, pause } = live;
  const routes = useRoutes().data?.items ?? [];
  const names = new Map(
    routes.map(({ project, pipeline, node, method, pattern }) => [
      `${project}/${pipeline}/${node}`,
      `${method} ${pattern}`,
    ]),
  );
  return (
    <section className="panel journal-list live" aria-label={t('journalPage.live.title')}>
      <header>
        <h2>{t('journalPage.live.title')}</h2>
        <Button variant="subtle" onClick={() => pause(!paused)}>
          {paused ? t('journalPage.live.resume') : t('journalPage.live.pause')}
        </Button>
      </header>
      <p className="live-state t2">
        {paused
          ? t('journalPage.live.paused', { count: missed })
          : t('journalPage.live.since', { count: total, time: clockTime(since).slice(0, 5) })}
      </p>
      {items.length === 0 ? (
        <p className="live-state t3">{t('journalPage.live.none')}</p>
      ) : (
        <ul className="scroll live-list">
          {items.map((one) => (
            <LiveItem
              key={one.requestId}
              news={one}
              route={one.route === null ? t('journalPage.live.noRoute') : (names.get(one.route) ?? one.route)}
              onWhy={onWhy}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

interface ItemProps {
  news: RefusedNews;
  route: string;
  onWhy: (requestId: string) => void;
}

function LiveItem({ news, route, onWhy }: ItemProps) {
  const { requestId, code, status, at } = news;
  const time = new Date(at);
  return (
    <li>
      <button type="button" className="line-button live-item" onClick={() => onWhy(requestId)}>
        <Shape name="refused" small />
        <span className="two grow">
          <b>
            {status} {code}
          </b>
          <small className="cut">{route}</small>
        </span>
        <time className="mono t2" dateTime={at} title={utcTime(time)}>
          {clockTime(time)}
        </time>
      </button>
    </li>
  );
}
