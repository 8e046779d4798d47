import { Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import type { TokenRecord } from '#common/model/records.ts';
import { useProjects } from '#api/queries.ts';
import { usePermission } from '#api/session.ts';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/now.ts';
import { Panel } from '#ui/panel.tsx';
import { RowMenu } from '#ui/row-menu.tsx';
import type { ShapeName } from '#ui/shape.tsx';
import { ListTable } from '#ui/list-table.tsx';
import { Ago, Moment } from '#ui/time.tsx';
import { TwoLines } from '#ui/two-lines.tsx';
import { stateOf, type TokenState } from './token-state.ts';

interface Props {
  tokens: readonly TokenRecord[];
  onRevoke: (record: TokenRecord) => void;
}

const SHAPES: Readonly<Record<TokenState, ShapeName>> = {
  valid: 'running',
  narrowed: 'advisory',
  refused: 'warning',
  ended: 'stopped',
  revoked: 'stopped',
};

export function TokenTable({ tokens, onRevoke }: Props) {
  const { t } = useTranslation();
  return (
    <Panel>
      <ListTable
        columns={[
          t('tokens.name'),
          t('tokens.permissions'),
          t('tokens.project'),
          t('tokens.lastUse'),
          t('tokens.ends'),
          t('tokens.state'),
        ]}
        actions={t('tokens.actionsShort')}
      >
        {tokens.map((record) => (
          <TokenRow key={record.id} record={record} onRevoke={onRevoke} />
        ))}
      </ListTable>
    </Panel>
  );
}

function TokenRow({ record, onRevoke }: Pick<Props, 'onRevoke'> & { record: TokenRecord }) {
  const { t } = useTranslation();
  const projects = useProjects().data ?? [];
  const state = stateOf(record, useNow());
  const isOver = state === 'ended' || state === 'revoked';
  const { id, name, createdBy, addresses, project } = record;
  return (
    <tr className={isOver ? 'dim' : ''}>
      <td>
        <TwoLines name={name} id={`slt_${id}_…`} />
      </td>
      <td>{record.permissions.map((one) => t(`people.permission.${one}`)).join(', ')}</td>
      <td>
        <span className="two">
          {project === null ? t('tokens.allProjects') : (projects.find((one) => one.id === project)?.name ?? project)}
          {addresses !== null && <small>{t('tokens.addresses', { addresses: addresses.join(', ') })}</small>}
        </span>
      </td>
      <td>
        <Ago iso={record.lastUsedAt} />
      </td>
      <td>
        <span className="two">
          <Moment iso={record.endsAt} />
          <small>{t('tokens.createdBy', { name: createdBy })}</small>
        </span>
      </td>
      <td>
        <Chip shape={SHAPES[state]} quiet={isOver}>
          {t(`tokens.states.${state}`, { name: state === 'revoked' ? (record.revokedBy ?? '') : createdBy })}
        </Chip>
      </td>
      <td className="number-cell tight-cell">
        <TokenMenu record={record} isRevoked={state === 'revoked'} onRevoke={onRevoke} />
      </td>
    </tr>
  );
}

function TokenMenu({
  record,
  isRevoked,
  onRevoke,
}: Pick<Props, 'onRevoke'> & { record: TokenRecord; isRevoked: boolean }) {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const mayAudit = usePermission('view_audit');
  const { name } = record;
  if (isRevoked && !mayAudit) return null;
  return (
    <RowMenu label={t('tokens.actions', { name })}>
      {mayAudit && (
        <Menu.Item onClick={() => go(`/journal?find=${encodeURIComponent(`token:${name}`)}`)}>
          {t('tokens.journal')}
        </Menu.Item>
      )}
      {!isRevoked && <Menu.Item onClick={() => onRevoke(record)}>{t('tokens.revoke')}</Menu.Item>}
    </RowMenu>
  );
}
