// Each rule of our own, and a few of those that ESLint recommends, is proved by a planted violation in a file that it
// covers: a rule that reports nothing protects nothing.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { ESLint } from 'eslint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

const promises = {
  'no-floating-promises': 'export const send = async () => 1\nsend()\n',
  'no-misused-promises': 'export const send = async () => 1\nif (send()) throw new Error()\n',
}
const anywhere = {
  'no-console': "console.log('x')\n",
  eqeqeq: 'export const x = (a: number) => a == 1\n',
  'object-shorthand': 'export const x = (a: number) => ({ a: a })\n',
  'no-useless-rename': "export { x as x } from './y.ts'\n",
  'consistent-type-imports': "import { X } from './y.ts'\nexport const x: X[] = []\n",
  'no-unused-vars': 'const x = 1\n',
  'no-explicit-any': 'export const x = (a: any) => a\n',
  'no-useless-assignment': 'export function x(a: number) {\n  let b = a\n  b = a + 1\n  return b\n}\n',
  'preserve-caught-error':
    "export function x() {\n  try {\n    return 1\n  } catch (e) {\n    throw new Error('x')\n  }\n}\n",
  'no-empty': 'if (Math.max(1)) {\n}\n',
  'prefer-const': 'let x = 1\nexport { x }\n',
  'no-unused-expressions': '1 + 1\n',
  'ban-ts-comment': '// @ts-ignore\nexport const x = 1\n',
}
const impure = {
  'Date.now()': 'no-restricted-properties',
  'Math.random()': 'no-restricted-properties',
  'new Date()': 'no-restricted-syntax',
  'Date()': 'no-restricted-syntax',
  'performance.now()': 'no-restricted-globals',
  'crypto.randomUUID()': 'no-restricted-globals',
}
const straight = { "it's": '"it\'s"', 'a "word"': '\'a "word"\'', "${1} it's": "`${1} it's`" }

/** Folder, the violation, its rule and the code. */
const violations: [string, string, string, string][] = [
  ...['server', 'main', 'test/http', 'test/crash', 'test/spec', 'test/support'].flatMap((folder) =>
    Object.entries(promises).map(([rule, code]): (typeof violations)[0] => [folder, rule, rule, code]),
  ),
  ...['server', 'renderer', 'elements', 'main', 'test/e2e', 'docs/build'].flatMap((folder) =>
    Object.entries(anywhere).map(([rule, code]): (typeof violations)[0] => [folder, rule, rule, code]),
  ),
  ...['server/kernel', 'server/wire'].flatMap((folder) =>
    Object.entries(impure).map(([expression, rule]): (typeof violations)[0] => [
      folder,
      expression,
      rule,
      `export const x = ${expression}\n`,
    ]),
  ),
  ...['renderer', 'elements', 'main'].flatMap((folder) =>
    Object.entries(straight).map(([text, literal]): (typeof violations)[0] => [
      folder,
      text,
      'no-restricted-syntax',
      `export const x = ${literal}\n`,
    ]),
  ),
]

describe('oxlint reports', () => {
  const place = mkdtempSync(join(tmpdir(), 'almanac-lint-'))
  const path = (index: number) => `${violations[index]![0]}/violation-${index}.ts`
  let rules: Map<string, string[]>

  beforeAll(() => {
    const files = violations.map(([, , , code], index) => [path(index), code] as const)
    for (const [file, code] of [...files, ['server/pure.ts', 'export const x = 1\n'] as const]) {
      mkdirSync(dirname(join(place, file)), { recursive: true })
      writeFileSync(join(place, file), code)
    }
    for (const file of ['oxlint.config.ts', 'tsconfig.base.json', '.gitignore'])
      copyFileSync(join(root, file), join(place, file))
    writeFileSync(
      join(place, 'tsconfig.json'),
      JSON.stringify({ extends: './tsconfig.base.json', include: ['**/*.ts'] }),
    )
    writeFileSync(join(place, 'package.json'), JSON.stringify({ type: 'module' }))
    symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'), 'junction')
    rules = reported(place)
  })
  afterAll(() => rmSync(place, { recursive: true }))

  it.each(violations.map(([folder, title, rule], index) => ({ folder, title, rule, index })))(
    '$title in $folder',
    ({ rule, index }) => {
      expect(rules.get(path(index))).toContain(rule)
    },
  )

  it('nothing in code without a violation', () => {
    expect(rules.get('server/pure.ts')).toBeUndefined()
  })
})

describe('ESLint reports in a component', () => {
  const eslint = new ESLint({ cwd: root })

  it.each([
    ['vue/no-restricted-syntax', "<template>\n  <p>It's</p>\n</template>\n"],
    ['vue/no-restricted-syntax', '<template>\n  <p title="it\'s" />\n</template>\n'],
    ['no-restricted-syntax', '<script setup lang="ts">\nalert(\'a "word"\')\n</script>\n'],
    ['no-console', '<script setup lang="ts">\nconsole.log(\'x\')\n</script>\n'],
    ['@typescript-eslint/no-unused-vars', '<script setup lang="ts">\nconst x = 1\n</script>\n'],
    ['vue/require-v-for-key', '<template>\n  <p v-for="x in 3">\n    {{ x }}\n  </p>\n</template>\n'],
  ])('%s: %j', async (rule, text) => {
    expect(await rulesOf(text, 'renderer/frame/icon-sprite.vue')).toContain(rule)
  })

  it('how other code of the studio uses Vue', async () => {
    const text = "import { ref } from 'vue'\nconst x = ref(0)\nexport const y = () => x + 1\n"
    expect(await rulesOf(text, 'renderer/router.ts')).toContain('vue/no-ref-as-operand')
  })

  async function rulesOf(text: string, filePath: string) {
    const [result] = await eslint.lintText(text, { filePath: join(root, filePath) })
    return result!.messages.map(({ ruleId }) => ruleId)
  }
})

/** Runs oxlint as the stage does; returns the rules that report each file. */
function reported(folder: string): Map<string, string[]> {
  const args = [join(root, 'node_modules/oxlint/bin/oxlint'), '--type-aware', '--threads=1', '--format=json']
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64e6,
  })
  expect(stderr).toBe('')
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] }
  const rules = new Map<string, string[]>()
  for (const { code, filename } of diagnostics) {
    const rule = code.replace(/^.*\((.*)\)$/, '$1')
    rules.set(filename, [...(rules.get(filename) ?? []), rule])
  }
  return rules
}
