import { Button, Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import type { KeyRecord } from '#common/model/records.ts';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/now.ts';
import { Icon } from '#ui/icon.tsx';
import { Tags } from '#ui/tags.tsx';
import { TwoLines } from '#ui/two-lines.tsx';
import { Ago, ageText } from '#ui/time.tsx';

interface Props {
  keys: KeyRecord[];
  onRevoke: (record: KeyRecord) => void;
  onRotate: (record: KeyRecord) => void;
}

/** Valid keys by name, then revoked ones. */
export function KeyTable({ keys, onRevoke, onRotate }: Props) {
  const { t } = useTranslation();
  const sorted = keys.toSorted(
    (a, b) => Number(a.revokedAt !== null) - Number(b.revokedAt !== null) || a.name.localeCompare(b.name),
  );
  return (
    <table>
      <thead>
        <tr>
          <th>{t('keys.consumer')}</th>
          <th>{t('keys.scopes')}</th>
          <th>{t('keys.lastUse')}</th>
          <th className="wide">{t('keys.created')}</th>
          <th>{t('keys.state')}</th>
          <th>
            <span className="visually-hidden">{t('keys.actionsShort')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {sorted.map((record) => (
          <KeyRow key={record.id} record={record} onRevoke={onRevoke} onRotate={onRotate} />
        ))}
      </tbody>
    </table>
  );
}

function KeyRow({ record, onRevoke, onRotate }: { record: KeyRecord } & Omit<Props, 'keys'>) {
  const { t } = useTranslation();
  return (
    <tr className={record.revokedAt === null ? '' : 'dim'}>
      <td>
        <TwoLines name={record.name} id={`slc_${record.id}_…`} />
      </td>
      <td>
        <Tags names={record.scopes} none={t('keys.noScopes')} />
      </td>
      <td>
        <Ago iso={record.lastUsedAt} />
      </td>
      <td className="wide">
        <span className="two">
          <Ago iso={record.createdAt} />
          <small>{t('keys.createdBy', { name: record.createdBy })}</small>
        </span>
      </td>
      <td>
        <KeyState record={record} />
      </td>
      <td className="number-cell">
        <KeyMenu record={record} onRevoke={onRevoke} onRotate={onRotate} />
      </td>
    </tr>
  );
}

function KeyState({ record }: { record: KeyRecord }) {
  const now = useNow();
  const { t, i18n } = useTranslation();
  if (record.revokedAt === null) return <Chip shape="running">{t('keys.valid')}</Chip>;
  return (
    <Chip shape="stopped" quiet>
      {t('keys.revoked', { time: ageText(t, i18n.language, record.revokedAt, now) })}
    </Chip>
  );
}

function KeyMenu({ record, onRevoke, onRotate }: { record: KeyRecord } & Omit<Props, 'keys'>) {
  const { t } = useTranslation();
  const [, go] = useLocation();
  return (
    <Menu>
      <Menu.Target>
        <Button variant="subtle" className="square" aria-label={t('keys.actions', { name: record.name })}>
          <Icon name="dots" />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {record.revokedAt === null && <Menu.Item onClick={() => onRotate(record)}>{t('keys.rotate')}</Menu.Item>}
        <Menu.Item onClick={() => go(`/journal?keyId=${record.id}`)}>{t('keys.showCalls')}</Menu.Item>
        {record.revokedAt === null && <Menu.Item onClick={() => onRevoke(record)}>{t('keys.revoke')}</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  );
}
