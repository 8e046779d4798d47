import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Chip } from '#ui/chip.tsx';
import { numberText } from '#ui/quantity.ts';
import { TableHead } from '#ui/table-head.tsx';
import { Ago } from '#ui/time.tsx';
import type { HostRow } from './rotation-view.ts';

/** The hosts that still send the old key. */
export function HostTable({ rows, oldKey }: { rows: readonly HostRow[]; oldKey: string }) {
  const { t, i18n } = useTranslation();
  if (rows.length === 0) return <p className="body t2">{t('keysPage.noHosts')}</p>;
  return (
    <table>
      <TableHead
        columns={[
          t('keys.state'),
          t('keysPage.host'),
          { text: t('keysPage.oldKey'), className: 'number-cell' },
          { text: t('keysPage.newKeyShort'), className: 'number-cell' },
          t('keysPage.lastOldCall'),
        ]}
        actions={t('keys.actionsShort')}
      />
      <tbody>
        {rows.map((row) => (
          <tr key={row.ip} className={row.state === 'new' ? '' : 'warning-edge'}>
            <td>
              {row.state === 'new' ? (
                <Chip shape="running">{t('keysPage.onNew')}</Chip>
              ) : (
                <Chip shape="warning">{row.state === 'old' ? t('keysPage.onOld') : t('keysPage.onBoth')}</Chip>
              )}
            </td>
            <td className="mono">{row.ip}</td>
            <td className="number-cell">{numberText(row.oldCalls, i18n.language)}</td>
            <td className="number-cell">{numberText(row.newCalls, i18n.language)}</td>
            <td>
              <Ago iso={row.lastOldCallAt} />
            </td>
            <td className="number-cell">
              {row.state !== 'new' && (
                <Button component={Link} href={`/journal?keyId=${oldKey}`}>
                  {t('keysPage.showCalls')}
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
