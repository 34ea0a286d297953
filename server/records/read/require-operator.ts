// What only operators may ask.
import { requirePermission } from '../../access/index.ts'
import type { CallerOf } from '../caller-of.ts'

/** @throws AlmanacError `access.denied` */
export function requireOperator({ access }: CallerOf, purpose: string): void {
  requirePermission(access, 'operations.manage', purpose)
}
