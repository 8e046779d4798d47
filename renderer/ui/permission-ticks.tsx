import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PERMISSIONS, type Permission } from '#common/model/records.ts';
import { useSession } from '#api/session.ts';
import './permission-ticks.css';

interface Props {
  legend: string;
  /** Those to choose from; default: all. */
  of?: readonly Permission[];
  /** Permissions that may be removed although the user does not have them. */
  had?: readonly Permission[];
  chosen: readonly Permission[];
  onChange: (permissions: Permission[]) => void;
}

/** Permissions with checkboxes; nobody can give one that they do not have. */
export function PermissionTicks({ legend, of = PERMISSIONS, had = [], chosen, onChange }: Props) {
  const { t } = useTranslation();
  const session = useSession().data;
  const held = session?.kind === 'in' ? session.permissions : [];
  const turn = (permission: Permission, on: boolean) =>
    onChange(PERMISSIONS.filter((one) => (one === permission ? on : chosen.includes(one))));
  return (
    <fieldset className="scope-ticks">
      <legend>{legend}</legend>
      {of.map((permission) => {
        const locked = !held.includes(permission) && !had.includes(permission);
        return (
          <Checkbox
            key={permission}
            checked={chosen.includes(permission)}
            disabled={locked}
            onChange={(event) => turn(permission, event.currentTarget.checked)}
            label={
              <>
                <span className="strong">{t(`people.permission.${permission}`)}</span>
                <small>{locked ? t('people.roleForm.notHeld') : t(`people.permissionHelp.${permission}`)}</small>
              </>
            }
          />
        );
      })}
    </fieldset>
  );
}
