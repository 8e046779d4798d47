import { Input } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PERMISSIONS, type Permission, type TokenRecord } from '#common/model/records.ts';
import { fieldFault } from '#api/field-fault.ts';
import { useProjects } from '#api/queries.ts';
import { useCreateToken } from '#api/token-queries.ts';
import { FieldFault } from '#ui/field-error.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';
import { ChoiceField, TextField } from '#ui/form-fields.tsx';
import { PermissionTicks } from '#ui/permission-ticks.tsx';

interface Props {
  onCreated: (made: { token: string; record: TokenRecord }) => void;
  onClose: () => void;
}

const DAY_MS = 24 * 60 * 60_000;
const DAYS = [30, 90, 180, 365];
const NAME_CHARS_MAX = 64;
/** A token cannot manage users. */
const GIVEN = PERMISSIONS.filter((permission) => permission !== 'manage_users');

/** The fields as the user enters them. */
interface Entered {
  name: string;
  permissions: Permission[];
  /** Empty: all. */
  project: string;
  days: string;
  addresses: string;
}

const EMPTY: Entered = { name: '', permissions: ['view', 'edit_pipelines'], project: '', days: '90', addresses: '' };

const isName = (name: string): boolean => name.trim() !== '' && name.trim().length <= NAME_CHARS_MAX;

function sent({ name, permissions, project, days, addresses }: Entered) {
  const listed = addresses.split(/[\s,]+/).filter((address) => address !== '');
  return {
    name: name.trim(),
    permissions,
    project: project === '' ? null : project,
    endsAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
    ...(listed.length > 0 && { addresses: listed }),
  };
}

export function CreateTokenDialog({ onCreated, onClose }: Props) {
  const { t } = useTranslation();
  const create = useCreateToken();
  const [input, setInput] = useState(EMPTY);
  const [asked, setAsked] = useState(false);
  const set = (change: Partial<Entered>) => setInput({ ...input, ...change });
  const noPermission = input.permissions.length === 0;
  const submit = () => {
    setAsked(true);
    if (isName(input.name) && !noPermission) create.mutate(sent(input), { onSuccess: onCreated });
  };
  return (
    <FormDialog
      wide
      title={t('tokens.create')}
      act={t('tokens.form.submit')}
      failed={t('tokens.form.failed')}
      call={create}
      shownFields={['name', 'addresses']}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        first
        label={t('tokens.name')}
        help={t('tokens.form.nameHelp')}
        fault={asked && !isName(input.name) ? t('tokens.form.nameMissing') : fieldFault(create.error, 'name')}
        value={input.name}
        onChange={(name) => set({ name })}
      />
      <PermissionTicks
        legend={t('tokens.form.permissions')}
        of={GIVEN}
        chosen={input.permissions}
        onChange={(permissions) => set({ permissions })}
      />
      {asked && noPermission && (
        <Input.Error>
          <FieldFault text={t('tokens.form.permissionMissing')} />
        </Input.Error>
      )}
      <Reach input={input} onChange={set} />
      <TextField
        mono
        label={t('tokens.form.addresses')}
        help={t('tokens.form.addressesHelp')}
        fault={fieldFault(create.error, 'addresses')}
        value={input.addresses}
        onChange={(addresses) => set({ addresses })}
      />
    </FormDialog>
  );
}

function Reach({ input, onChange }: { input: Entered; onChange: (change: Partial<Entered>) => void }) {
  const { t } = useTranslation();
  const projects = useProjects().data ?? [];
  return (
    <>
      <ChoiceField
        label={t('tokens.project')}
        help={t('tokens.form.projectHelp')}
        value={input.project}
        options={[
          { value: '', label: t('tokens.allProjects') },
          ...projects.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(project) => onChange({ project })}
      />
      <ChoiceField
        label={t('tokens.form.ends')}
        value={input.days}
        options={DAYS.map((count) => ({ value: String(count), label: t('tokens.form.days', { count }) }))}
        onChange={(days) => onChange({ days })}
      />
    </>
  );
}
