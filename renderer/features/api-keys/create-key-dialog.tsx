import { Checkbox, Menu, TextInput } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import type { KeyRecord, ProjectRecord } from '#common/model/records.ts';
import type { Scope } from '#common/scopes.ts';
import { useReachOf } from '#api/key-queries.ts';
import { useCreateKey, type NewKey } from '#api/queries.ts';
import { useRoutes } from '#api/routes-queries.ts';
import { FieldFault } from '#ui/field-error.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';
import { ScopeCheckboxes } from '#ui/scope-checkboxes.tsx';
import { Icon } from '#ui/icon.tsx';
import { NativeSelect } from '#ui/native-select.tsx';
import { Note } from '#ui/note.tsx';
import { limitsOf, type LimitTexts } from '#ui/limits/limit-entries.ts';
import { LimitFields } from '#ui/limits/limit-fields.tsx';
import { isRouteOf } from './call-line.ts';

interface Props {
  /** The initial project. */
  project: string;
  projects: readonly ProjectRecord[];
  /** The keys of all projects: names are unique within a project. */
  keys: readonly KeyRecord[];
  /** The preselected scopes. */
  wanted: Scope[];
  /** The route that the key is for, such as `POST /orders`. */
  route: string | undefined;
  onMade: (made: NewKey) => void;
  onClose: () => void;
}

export function Steps({ current }: { current: 1 | 2 }) {
  const { t } = useTranslation();
  return (
    <p className="row crumb">
      <span className={current === 1 ? 'strong' : 't2'}>{t('keys.step1')}</span>
      <Icon name="right" />
      <span className={current === 2 ? 'strong' : 't2'}>{t('keys.step2')}</span>
    </p>
  );
}

export function CreateKeyDialog({ project: first, projects, keys, wanted, route, onMade, onClose }: Props) {
  const { t } = useTranslation();
  const create = useCreateKey();
  const [project, setProject] = useState(first);
  const [name, setName] = useState('');
  const taken = keys.filter((key) => key.project === project).map((key) => key.name);
  const [scopes, setScopes] = useState<Scope[]>(wanted);
  const [texts, setTexts] = useState<LimitTexts>({});
  const [honey, setHoney] = useState(false);
  const [asked, setAsked] = useState(false);
  const fault = nameFault(name.trim(), taken);
  const submit = () => {
    setAsked(true);
    if (fault === null)
      create.mutate(
        honey
          ? { project, name: name.trim(), scopes: [], honey }
          : { project, name: name.trim(), scopes, limits: limitsOf(texts, scopes) },
        { onSuccess: onMade },
      );
  };
  // A taken name is reported during typing: reported when the field loses focus, it would move the scopes under the
  // user's finger.
  const shownFault = fault === 'taken' || (asked && fault !== null) ? faultText(t, fault, name.trim()) : null;
  return (
    <FormDialog
      wide
      title={t('keys.newTitle')}
      above={<Steps current={1} />}
      act={t('keys.create')}
      call={create}
      onSubmit={submit}
      onClose={onClose}
    >
      <Owner project={project} projects={projects} route={route} onChange={setProject} />
      <TextInput
        label={t('keys.consumerLabel')}
        description={t('keys.consumerHelp')}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={shownFault !== null && <FieldFault text={shownFault} />}
        autoComplete="off"
        data-autofocus
      />
      {!honey && (
        <>
          <div className="row">
            <span className="grow" />
            <TakeFromRoute project={project} onTake={setScopes} />
          </div>
          <Scopes chosen={scopes} onChange={setScopes} />
          <Reach project={project} scopes={scopes} />
          <LimitFields project={project} scopes={scopes} texts={texts} onChange={setTexts} />
        </>
      )}
      <Checkbox
        checked={honey}
        onChange={(event) => setHoney(event.currentTarget.checked)}
        label={
          <span className="two">
            <b>{t('keyLimits.honey')}</b>
            <small>{t('keyLimits.honeyHelp')}</small>
          </span>
        }
      />
    </FormDialog>
  );
}

type OwnerProps = Pick<Props, 'project' | 'projects' | 'route'> & { onChange: (project: string) => void };

/**
 * The project of the new key. The route comes from the address, which anyone can edit: only a route of the project is
 * shown.
 */
function Owner({ project, projects, route, onChange }: OwnerProps) {
  const { t } = useTranslation();
  const routes = useRoutes().data?.items ?? [];
  const name = projects.find(({ id }) => id === project)?.name ?? project;
  if (route !== undefined && isRouteOf(routes, project, route))
    return (
      <p>
        <Trans
          t={t}
          i18nKey="keysPage.forRoute"
          values={{ route, project: name }}
          components={{ b: <b className="mono" /> }}
        />
      </p>
    );
  if (projects.length < 2) return null;
  return (
    <NativeSelect
      label={t('common.project')}
      value={project}
      options={projects.map(({ id, name: label }) => ({ value: id, label }))}
      onChange={onChange}
    />
  );
}

type NameFault = 'length' | 'taken';

function faultText(t: TFunction, fault: NameFault, name: string): string {
  return fault === 'taken' ? t('keys.consumerTaken', { name }) : t('keys.consumerBad');
}

function nameFault(name: string, taken: string[]): NameFault | null {
  if (name === '' || name.length > 64) return 'length';
  return taken.includes(name) ? 'taken' : null;
}

function Scopes({ chosen, onChange }: { chosen: Scope[]; onChange: (scopes: Scope[]) => void }) {
  const { t } = useTranslation();
  return (
    <ScopeCheckboxes
      legend={t('keys.scopes')}
      chosen={chosen}
      renderLabel={(scope) => (
        <>
          <span className="mono strong">{scope}</span>
          <small>{t(`keys.scope.${scope}`)}</small>
        </>
      )}
      onChange={onChange}
    />
  );
}

/** The routes that a key with these scopes could call, and the effects behind them. */
function Reach({ project, scopes }: { project: string; scopes: Scope[] }) {
  const { t } = useTranslation();
  const reach = useReachOf(project, scopes).data;
  if (reach === undefined) return null;
  const { routes, uses } = reach;
  const open = routes
    .filter(({ missing }) => missing.length === 0)
    .map(({ method, pattern }) => `${method} ${pattern}`);
  if (routes.length === 0) return <Note>{t('keys.reachNoRoutes')}</Note>;
  if (open.length === 0) return <Note>{t('keys.reachNone', { total: routes.length })}</Note>;
  const names = open.slice(0, 4).join(', ') + (open.length > 4 ? ' …' : '');
  return (
    <Note>
      <p>{t('keys.reach', { reached: open.length, total: routes.length, routes: names })}</p>
      {uses.length > 0 && (
        <p className="t2">
          {uses.map(({ what, names: used }) => t(`keysPage.use.${what}`, { count: used.length })).join('; ')}
        </p>
      )}
    </Note>
  );
}

/** The routes of the project whose scopes can be taken over. */
function TakeFromRoute({ project, onTake }: { project: string; onTake: (scopes: Scope[]) => void }) {
  const { t } = useTranslation();
  const routes = useReachOf(project, []).data?.routes.filter(({ missing }) => missing.length > 0) ?? [];
  if (routes.length === 0) return null;
  return (
    <Menu>
      <Menu.Target>
        <button type="button" className="as-link touch">
          {t('keysPage.takeFromRoute')}
        </button>
      </Menu.Target>
      <Menu.Dropdown mah={320} className="scroll">
        {routes.map(({ method, pattern, pipeline, missing }) => (
          <Menu.Item key={`${pipeline} ${method} ${pattern}`} onClick={() => onTake(missing)}>
            <span className="mono">{`${method} ${pattern}`}</span> <span className="t3">{missing.join(', ')}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
