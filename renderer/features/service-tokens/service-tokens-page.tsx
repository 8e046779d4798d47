import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TokenRecord } from '#common/model/records.ts';
import { useServiceTokens } from '#api/token-queries.ts';
import { Icon } from '#ui/icon.tsx';
import { LoadingRows } from '#ui/loading-rows.tsx';
import { type Notice, NoticeLine } from '#ui/notice-line.tsx';
import { useNow } from '#ui/now.ts';
import { PageHead } from '#ui/page-head.tsx';
import { Empty, Panel } from '#ui/panel.tsx';
import { permittedPage } from '#ui/permitted-page.tsx';
import { SettingsTabs } from '#ui/settings-tabs.tsx';
import { CreateTokenDialog } from './create-token-dialog.tsx';
import { RevokeTokenDialog } from './revoke-token-dialog.tsx';
import { ShownTokenDialog } from './shown-token-dialog.tsx';
import { stateOf } from './token-state.ts';
import { TokenTable } from './token-table.tsx';

type Open =
  | { kind: 'none' | 'create' }
  | { kind: 'shown'; token: string; record: TokenRecord }
  | { kind: 'revoke'; record: TokenRecord };

export const ServiceTokensPage = permittedPage('manage_users', ServiceTokens, {
  title: (t) => t('settingsTabs.tokens'),
  only: (t) => t('tokens.only'),
});

function ServiceTokens() {
  const { t } = useTranslation();
  const tokens = useServiceTokens();
  const [open, setOpen] = useState<Open>({ kind: 'none' });
  const [notice, setNotice] = useState<Notice | null>(null);
  const onRevoked = ({ name }: TokenRecord) => {
    setNotice({ kind: 'done', text: t('tokens.done.revoked', { name }) });
    setOpen({ kind: 'none' });
  };
  return (
    <>
      <PageHead
        title={t('settingsTabs.tokens')}
        answer={tokens.data && <Answer tokens={tokens.data} />}
        actions={
          <Button variant="filled" leftSection={<Icon name="plus" />} onClick={() => setOpen({ kind: 'create' })}>
            {t('tokens.create')}
          </Button>
        }
      />
      <SettingsTabs />
      <NoticeLine notice={notice} onClose={() => setNotice(null)} />
      <LoadingRows of={tokens} />
      {tokens.data?.length === 0 && (
        <Panel>
          <Empty title={t('tokens.none')} help={t('tokens.noneHelp')} />
        </Panel>
      )}
      {tokens.data !== undefined && tokens.data.length > 0 && (
        <TokenTable tokens={tokens.data} onRevoke={(record) => setOpen({ kind: 'revoke', record })} />
      )}
      <Dialogs open={open} onOpen={setOpen} onRevoked={onRevoked} />
    </>
  );
}

function Answer({ tokens }: { tokens: readonly TokenRecord[] }) {
  const { t } = useTranslation();
  const now = useNow();
  const count = tokens.filter((token) => ['valid', 'narrowed'].includes(stateOf(token, now))).length;
  return (
    <>
      {t('tokens.answer', { count })} {t('tokens.lead')}
    </>
  );
}

interface DialogsProps {
  open: Open;
  onOpen: (open: Open) => void;
  onRevoked: (record: TokenRecord) => void;
}

function Dialogs({ open, onOpen, onRevoked }: DialogsProps) {
  const onClose = () => onOpen({ kind: 'none' });
  switch (open.kind) {
    case 'none':
      return null;
    case 'create':
      return <CreateTokenDialog onCreated={(made) => onOpen({ kind: 'shown', ...made })} onClose={onClose} />;
    case 'shown':
      return <ShownTokenDialog token={open.token} name={open.record.name} onClose={onClose} />;
    case 'revoke':
      return <RevokeTokenDialog record={open.record} onRevoked={onRevoked} onClose={onClose} />;
  }
}
