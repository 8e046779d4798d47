import type { ComponentType } from 'react';
import type { Permission } from '#common/model/records.ts';
import { usePermission } from '#api/session.ts';
import { PageHead } from './page-head.tsx';

interface Props {
  permission: Permission;
  title: string;
  /** For users without the permission: who may open the page. */
  only: string;
  page: ComponentType;
}

/** A page for users with one permission. */
export function PermittedPage({ permission, title, only, page: Page }: Props) {
  return usePermission(permission) ? <Page /> : <PageHead title={title} answer={only} />;
}
