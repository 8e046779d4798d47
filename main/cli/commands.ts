import { auditKey } from './audit-key.ts';
import { auditVerify } from './audit-verify.ts';
import { backup, restore } from './backup.ts';
import type { Command } from './command.ts';
import { fleetStatus, hub, hubAssign, hubExpel, hubInit, hubToken, join, leave } from './fleet.ts';
import { pluginDev } from './plugin-dev.ts';
import { pluginAdd, pluginApprove, pluginList, pluginRemove } from './plugins.ts';
import { apply, plan, pull } from './projects-as-code.ts';
import { serve } from './serve.ts';
import { setup } from './setup.ts';
import { updateRollback } from './update-rollback.ts';
import { updateVerify } from './update/verify.ts';
import { userAdd, userResetPassword } from './users.ts';
import { vaultConfirm } from './vault-confirm.ts';

export const COMMANDS: readonly Command[] = [
  serve,
  setup,
  auditVerify,
  auditKey,
  backup,
  restore,
  userAdd,
  userResetPassword,
  vaultConfirm,
  pluginList,
  pluginAdd,
  pluginApprove,
  pluginRemove,
  pluginDev,
  pull,
  plan,
  apply,
  // The longer names first: they begin with the shorter one.
  hubInit,
  hubToken,
  hubAssign,
  hubExpel,
  hub,
  join,
  leave,
  fleetStatus,
  updateVerify,
  updateRollback,
];
