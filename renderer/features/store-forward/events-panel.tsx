import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EgressEvent, EgressTarget } from '#common/model/egress.ts';
import { useEgressEvents, useEventAct, type EventFilter } from '#api/egress-queries.ts';
import { LoadError } from '#ui/load-error.tsx';
import { NativeSelect } from '#ui/native-select.tsx';
import { Panel } from '#ui/panel.tsx';
import { numberText } from '#ui/quantity.ts';
import { Segments } from '#ui/segments.tsx';
import { DiscardDialog } from './discard-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { EventDialog } from './event-dialog.tsx';
import { EventTable } from './event-table.tsx';
import { ManyMenu } from './many-menu.tsx';
import type { OpenEvent } from './open-event.ts';
import type { Notice } from '#ui/notice-line.tsx';
import { targetName } from './target-view.ts';
import { useEventAddress } from './use-event-address.ts';

interface Props {
  targets: EgressTarget[];
  onNotice: (notice: Notice) => void;
}

/** Dead letters, or waiting events: of every target or of one. */
export function EventsPanel({ targets, onNotice }: Props) {
  const { t } = useTranslation();
  const { filter } = useEventAddress();
  const events = useEgressEvents(filter);
  const [open, setOpen] = useState<OpenEvent>({ kind: 'none' });
  const retry = useRetry(onNotice);
  const items = events.data?.pages.flatMap((page) => page.items);
  return (
    <Panel
      title={filter.state === 'dead' ? t('egress.dead') : t('egress.waitingEvents')}
      side={<Side targets={targets} />}
      className="with-controls"
    >
      {events.isError && <LoadError error={events.error} />}
      {items?.length === 0 && (
        <p className="body t2">{filter.state === 'dead' ? t('egress.noDead') : t('egress.noWaiting')}</p>
      )}
      {items && items.length > 0 && (
        <EventTable events={items} state={filter.state} targets={targets} onOpen={setOpen} onRetry={retry} />
      )}
      {events.hasNextPage && (
        <div className="journal-foot">
          <Button loading={events.isFetchingNextPage} onClick={() => void events.fetchNextPage()}>
            {t('egress.moreEvents')}
          </Button>
        </div>
      )}
      <Dialogs open={open} onOpen={setOpen} onRetry={retry} onNotice={onNotice} />
    </Panel>
  );
}

/** How many of them are displayed, and which. */
function Side({ targets }: { targets: EgressTarget[] }) {
  const { t, i18n } = useTranslation();
  const { filter, change } = useEventAddress();
  const shown = targets.filter(({ id }) => filter.target === '' || id === filter.target);
  const count = shown.reduce((sum, target) => sum + countOf(target, filter), 0);
  const text = numberText(count, i18n.language);
  return (
    <span className="row wrap run-controls">
      {count > 0 && (
        <span className="t2 xs">
          {filter.state === 'dead' ? t('egress.keptCount', { count: text }) : `${text}, ${t('egress.oldestFirst')}`}
        </span>
      )}
      <NativeSelect
        label={t('egress.target')}
        value={filter.target}
        onChange={(target) => change({ target })}
        options={[
          { value: '', label: t('egress.everyTarget') },
          ...targets.map(({ id, target }) => ({ value: id, label: targetName(target).name })),
        ]}
      />
      <Segments
        label={t('egress.which')}
        value={filter.state}
        options={[
          { value: 'dead', label: t('egress.dead') },
          { value: 'queued', label: t('egress.waitingEvents') },
        ]}
        onChange={(state) => change({ state })}
      />
      <ManyMenu filter={filter} count={count} targets={targets} />
    </span>
  );
}

const countOf = (target: EgressTarget, { state }: EventFilter) => (state === 'dead' ? target.dead : target.queued);

function useRetry(onNotice: (notice: Notice) => void): (event: EgressEvent) => void {
  const { t } = useTranslation();
  const act = useEventAct();
  return ({ id }) =>
    act.mutate(
      { id, act: 'retry' },
      {
        onSuccess: () => onNotice({ kind: 'done', text: t('egress.notice.retriedEvent') }),
        onError: (error) => onNotice({ kind: 'failed', text: t('egress.failed.retry'), error }),
      },
    );
}

interface DialogsProps {
  open: OpenEvent;
  onOpen: (open: OpenEvent) => void;
  onRetry: (event: EgressEvent) => void;
  onNotice: (notice: Notice) => void;
}

function Dialogs({ open, onOpen, onRetry, onNotice }: DialogsProps) {
  const close = () => onOpen({ kind: 'none' });
  switch (open.kind) {
    case 'none':
      return null;
    case 'inspect':
      return (
        <EventDialog
          event={open.event}
          onEdit={() => onOpen({ kind: 'edit', event: open.event })}
          onRetry={() => {
            onRetry(open.event);
            close();
          }}
          onClose={close}
        />
      );
    case 'edit':
      return <EditDialog event={open.event} onNotice={onNotice} onClose={close} />;
    case 'discard':
      return <DiscardDialog event={open.event} onNotice={onNotice} onClose={close} />;
  }
}
