import { Menu } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EgressTarget } from '#common/model/egress.ts';
import type { EventFilter } from '#api/egress-queries.ts';
import { usePermission } from '#api/session.ts';
import { RowMenu } from '#ui/row-menu.tsx';
import { dialogPart } from '#ui/part/dialog-part.tsx';
import { targetName } from './target-view.ts';

const ManyDialog = dialogPart(
  (t) => t('egressMany.menu'),
  async () => (await import('./many-dialog.tsx')).ManyDialog,
);

interface Props {
  filter: EventFilter;
  /** Events of the filter. */
  count: number;
  targets: readonly EgressTarget[];
}

/** Acts on all events of the filter. Waiting events can only be discarded while their target is paused. */
export function ManyMenu({ filter, count, targets }: Props) {
  const { t } = useTranslation();
  const mayRun = usePermission('run_pipelines');
  const [act, setAct] = useState<'retry' | 'discard' | null>(null);
  const target = targets.find(({ id }) => id === filter.target);
  const isDead = filter.state === 'dead';
  const mayDiscard = isDead || target?.state === 'paused';
  if (act !== null)
    return (
      <ManyDialog
        act={act}
        filter={filter}
        name={target === undefined ? '' : targetName(target.target).name}
        total={count}
        onClose={() => setAct(null)}
      />
    );
  if (!mayRun || count === 0 || !mayDiscard) return null;
  return (
    <RowMenu label={t('egressMany.menu')}>
      {isDead && <Menu.Item onClick={() => setAct('retry')}>{t('egressMany.retry.item')}</Menu.Item>}
      <Menu.Item onClick={() => setAct('discard')}>{t('egressMany.discard.item')}</Menu.Item>
    </RowMenu>
  );
}
