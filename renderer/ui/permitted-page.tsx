import type { TFunction } from 'i18next';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import type { Permission } from '#common/model/records.ts';
import { usePermission } from '#api/session.ts';
import { PageHead } from './page-head.tsx';

/** A page for users with one permission; `only` is shown to other users. */
export function permittedPage(
  permission: Permission,
  Page: ComponentType,
  texts: { title: (t: TFunction) => string; only: (t: TFunction) => string },
): ComponentType {
  return function Permitted() {
    const { t } = useTranslation();
    return usePermission(permission) ? <Page /> : <PageHead title={texts.title(t)} answer={texts.only(t)} />;
  };
}
