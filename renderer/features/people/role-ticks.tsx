import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { RoleRecord } from '#common/model/records.ts';
import { useSession } from '#api/session.ts';
import { mayGive } from './people-view.ts';
import '#ui/permission-ticks.css';

interface Props {
  roles: readonly RoleRecord[];
  chosen: readonly string[];
  /** Permissions that the user already has; user managers may remove them. */
  had: readonly string[];
  /** A role that cannot be removed, with the reason. */
  fixed?: { name: string; why: string } | null;
  onChange: (names: string[]) => void;
}

/** Roles with checkboxes, each with its permissions. */
export function RoleTicks({ roles, chosen, had, fixed = null, onChange }: Props) {
  const { t } = useTranslation();
  const session = useSession().data;
  const held = session?.kind === 'in' ? session.permissions : [];
  const turn = (name: string, on: boolean) =>
    onChange(roles.map((role) => role.name).filter((one) => (one === name ? on : chosen.includes(one))));
  const reason = (role: RoleRecord): string | null => {
    if (fixed?.name === role.name) return fixed.why;
    return mayGive(role, held) || had.includes(role.name) ? null : t('people.rolesOf.locked');
  };
  return (
    <fieldset className="scope-ticks">
      <legend>{t('people.roles')}</legend>
      {roles.map((role) => {
        const why = reason(role);
        return (
          <Checkbox
            key={role.id}
            checked={chosen.includes(role.name)}
            disabled={why !== null}
            onChange={(event) => turn(role.name, event.currentTarget.checked)}
            label={
              <>
                <span className="strong">{role.name}</span>
                <small>{why ?? role.permissions.map((one) => t(`people.permission.${one}`)).join(', ')}</small>
              </>
            }
          />
        );
      })}
    </fieldset>
  );
}
