import { Button, Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { EMBEDDED_CONNECTION } from './embedded.ts';
import { useTestConnection, type ConnectionAnswer, type ShownConnection } from '#api/connections-queries.ts';
import { usePermission } from '#api/session.ts';
import { Chip } from '#ui/chip.tsx';
import type { Notice } from '#ui/notice-line.tsx';
import { Panel } from '#ui/panel.tsx';
import { numberText } from '#ui/quantity.ts';
import { ListTable } from '#ui/list-table.tsx';
import { TwoLines } from '#ui/two-lines.tsx';
import { RowMenu } from '#ui/row-menu.tsx';
import { usersOf, type ProjectParts } from './connection-users.ts';
import { ConnectionUsers } from './connection-users-text.tsx';
import { WhereMended } from './test-answer.tsx';

interface Props {
  project: string;
  connections: ShownConnection[];
  parts: ProjectParts;
  answers: Readonly<Record<string, ConnectionAnswer>>;
  onAnswer: (id: string, answer: ConnectionAnswer) => void;
  onChange: (connection: ShownConnection) => void;
  onDelete: (connection: ShownConnection) => void;
  onNotice: (notice: Notice) => void;
}

export function ConnectionTable(props: Props) {
  const { t } = useTranslation();
  const { connections } = props;
  return (
    <Panel>
      <ListTable
        className="connections"
        columns={[
          t('connections.name'),
          t('connections.kind'),
          t('connections.target'),
          t('connections.usedBy'),
          t('connections.lastTest'),
        ]}
        actions={t('connections.actionsShort')}
      >
        {connections.map((connection) => (
          <ConnectionRow key={connection.id} connection={connection} {...props} />
        ))}
        <EmbeddedRow parts={props.parts} />
      </ListTable>
      {connections.length === 0 && <NoneYet />}
    </Panel>
  );
}

function NoneYet() {
  const { t } = useTranslation();
  return (
    <div className="empty">
      <div>
        <h2>{t('connections.empty')}</h2>
        <p className="t2">{t('connections.emptyHelp')}</p>
      </div>
    </div>
  );
}

const nameOf = ({ id, name }: ShownConnection) => name || id;

function ConnectionRow({ connection, parts, answers, ...props }: Props & { connection: ShownConnection }) {
  const { t } = useTranslation();
  const { id, settings } = connection;
  const answer = answers[id];
  return (
    <tr>
      <td>
        <TwoLines name={nameOf(connection)} id={id} />
      </td>
      <td>{t(`connections.kinds.${settings.kind}`)}</td>
      <td className="mono break">
        {settings.host}:{settings.port}
      </td>
      <td>
        <ConnectionUsers users={usersOf(id, parts)} />
      </td>
      <td>
        <LastTest answer={answer} />
      </td>
      <td className="number-cell tight-cell">
        <RowActs connection={connection} {...props} />
      </td>
    </tr>
  );
}

function LastTest({ answer }: { answer: ConnectionAnswer | undefined }) {
  const { t, i18n } = useTranslation();
  if (answer === undefined) return <span className="t3">{t('connections.untested')}</span>;
  const ms = numberText(answer.durationMs, i18n.language);
  return (
    <span className="last-test">
      <Chip shape={answer.ok ? 'running' : 'warning'}>
        {answer.ok ? t('connections.answered', { ms }) : t('connections.notPassed')}
      </Chip>
      <small className="t2 break">{answer.text}</small>
      <WhereMended answer={answer} />
    </span>
  );
}

type ActsProps = Omit<Props, 'connections' | 'parts' | 'answers'> & { connection: ShownConnection };

function RowActs({ project, connection, onAnswer, onChange, onDelete, onNotice }: ActsProps) {
  const { t } = useTranslation();
  const allowed = usePermission('access_settings');
  const test = useTestConnection(project);
  const name = nameOf(connection);
  if (!allowed) return null;
  const begin = () =>
    test.mutate(connection.id, {
      onSuccess: (answer) => onAnswer(connection.id, answer),
      onError: (error) => onNotice({ kind: 'failed', text: t('connections.form.testFailed'), error }),
    });
  return (
    <span className="row run-controls">
      <Button
        variant="subtle"
        loading={test.isPending}
        aria-label={t('connections.testNamed', { name })}
        onClick={begin}
      >
        {t('connections.test')}
      </Button>
      <RowMenu label={t('connections.actions', { name })}>
        <Menu.Item onClick={() => onChange(connection)}>{t('connections.change')}</Menu.Item>
        <Menu.Item onClick={() => onDelete(connection)}>{t('connections.delete')}</Menu.Item>
      </RowMenu>
    </span>
  );
}

/** The database that every project has. */
function EmbeddedRow({ parts }: { parts: ProjectParts }) {
  const { t } = useTranslation();
  return (
    <tr>
      <td>
        <TwoLines name={t('connections.embedded')} id={EMBEDDED_CONNECTION} />
      </td>
      <td>{t('connections.embeddedKind')}</td>
      <td className="t2">{t('connections.embeddedTarget')}</td>
      <td>
        <ConnectionUsers users={usersOf(EMBEDDED_CONNECTION, parts)} />
      </td>
      <td className="t3" colSpan={2}>
        {t('connections.noTest')}
      </td>
    </tr>
  );
}
