// The permissions that each change needs; everything else is denied (docs/reference/access.md).
import { calc, edit, flag, plain, plainRow } from './ground.ts'
import type { SpecRequest } from './target.ts'

export interface AccessCase {
  name: string
  needs: string
  request: SpecRequest
  /** System permissions that do not suffice. */
  rights: readonly string[]
  /** System permissions that suffice, together with the edit grants of the permission set `editors`. */
  enough: readonly string[]
  /** What the denial names. */
  lacks: string
}

const permissionSet = {
  type: 'permission_set',
  key: 'clerks',
  label: 'Clerks',
  body: { systemPermissions: ['config.author'] },
}

export const accessCases: readonly AccessCase[] = [
  {
    name: 'the shape of a set',
    needs: 'metadata.author',
    request: { components: [{ ...plain(), label: 'Renamed' }] },
    rights: ['config.author', 'access.manage'],
    enough: ['metadata.author'],
    lacks: 'metadata.author',
  },
  {
    name: 'a calc function',
    needs: 'metadata.author',
    request: { components: [calc('taxed', 'x * 3')] },
    rights: ['config.author'],
    enough: ['metadata.author'],
    lacks: 'metadata.author',
  },
  {
    name: 'an entry, without the permission to author configuration',
    needs: 'config.author',
    request: { components: [plainRow({ rate: '0.2' })] },
    rights: ['metadata.author', 'access.manage'],
    enough: ['config.author'],
    lacks: 'config.author',
  },
  {
    name: 'an entry of a set without its edit grant',
    needs: 'the edit grant',
    request: { components: [plainRow({ rate: '0.2' })] },
    rights: ['config.author', 'metadata.author'],
    enough: ['config.author'],
    lacks: 'edit:plain',
  },
  {
    name: 'a flag without its edit grant',
    needs: 'the edit grant',
    request: { components: [flag('beta', { scopes: ['environment', 'org'], default: true })] },
    rights: ['config.author'],
    enough: ['config.author'],
    lacks: 'edit:beta',
  },
  {
    name: 'a permission set',
    needs: 'access.manage',
    request: { components: [permissionSet] },
    rights: ['metadata.author', 'config.author'],
    enough: ['access.manage'],
    lacks: 'access.manage',
  },
  {
    name: 'a grant on a set',
    needs: 'access.manage',
    request: { components: [plain({ edit: { ...edit, clerks: 'edit' } })] },
    rights: ['metadata.author', 'config.author'],
    enough: ['access.manage'],
    lacks: 'access.manage',
  },
  {
    name: 'a removal of an entry without its edit grant',
    needs: 'the edit grant',
    request: { removals: ['config_entry/plain.at'] },
    rights: ['config.author'],
    enough: ['config.author'],
    lacks: 'edit:plain',
  },
]
