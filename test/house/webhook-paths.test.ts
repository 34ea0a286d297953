// No webhook can take the path of a page or file of the studio.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { studioSegments } from '../../server/kernel/components/webhook-endpoint/rules.ts'
import { root } from './plain-words.ts'

it('the reserved first segments are those of the studio', () => {
  const router = readFileSync(join(root, 'renderer/router.ts'), 'utf8')
  const paths = [...router.matchAll(/path: ['`]\/([^/'`]+)/g)].map(([, segment]) => segment!)
  const pages = paths.filter((segment) => !segment.startsWith(':') && !segment.startsWith('$'))
  const [, restores = ''] = /\[([^[\]]+)\] as const\)\.map\(\(restores\): Route/.exec(router) ?? []
  const restoring = [...restores.matchAll(/'(\w+)'/g)].map(([, name]) => name!)
  const files = ['index.html', ...readdirSync(join(root, 'renderer/public'))]
  expect([...studioSegments].sort()).toEqual([...new Set([...pages, ...restoring, ...files])].sort())
})
