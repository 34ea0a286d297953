// Lint of all code but components, which eslint.config.js checks: the purity of the kernel, plain output, and promises
// that are awaited. Besides the rules below, these are the rules that ESLint and typescript-eslint recommend.
import { defineConfig, type OxlintConfig } from 'oxlint'

const straightQuotes = 'Texts of the studio have typographic quotes: “ ” and ’ (CONTRIBUTING.md, "Language").'
/** An apostrophe in a word, or a quoted word; not the quotes of attributes in HTML or in a selector. */
const straightQuote = String.raw`/[a-z]'[a-z]|(?:^|\s)"[A-Za-z]/`

/** The nodes of a script or a template that are a text with straight quotes. */
export function withStraightQuotes(...nodes: string[]) {
  return nodes.map((node) => {
    const value = node === 'TemplateElement' ? 'value.raw' : 'value'
    return { selector: `${node}[${value}=${straightQuote}]`, message: straightQuotes }
  })
}

/** Files that are written by tools. */
export const ignored = [
  'node_modules/**',
  'out/**',
  '**/dist/**',
  'coverage/**',
  'playwright-report/**',
  'test-results/**',
  'test/bench/peers/**',
]

/** The rules of this house for all code. */
export const houseRules = {
  'no-console': 'error',
  eqeqeq: ['error', 'always', { null: 'ignore' }],
  'object-shorthand': ['error', 'properties'],
  'no-useless-rename': 'error',
} satisfies OxlintConfig['rules']

export const unusedNames = { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }

const noClock = 'The kernel has no clock: take the date as an argument.'

const impureGlobals = [
  'performance',
  'crypto',
  'process',
  'console',
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'window',
  'document',
  'navigator',
  'localStorage',
]

/** What ESLint and typescript-eslint recommend; "tsc" reports what is absent. */
const recommended = [
  'constructor-super',
  'for-direction',
  'getter-return',
  'no-async-promise-executor',
  'no-case-declarations',
  'no-class-assign',
  'no-compare-neg-zero',
  'no-cond-assign',
  'no-const-assign',
  'no-constant-binary-expression',
  'no-constant-condition',
  'no-control-regex',
  'no-debugger',
  'no-delete-var',
  'no-dupe-class-members',
  'no-dupe-else-if',
  'no-dupe-keys',
  'no-duplicate-case',
  'no-empty',
  'no-empty-character-class',
  'no-empty-pattern',
  'no-empty-static-block',
  'no-ex-assign',
  'no-extra-boolean-cast',
  'no-fallthrough',
  'no-func-assign',
  'no-global-assign',
  'no-import-assign',
  'no-invalid-regexp',
  'no-irregular-whitespace',
  'no-loss-of-precision',
  'no-misleading-character-class',
  'no-new-native-nonconstructor',
  'no-nonoctal-decimal-escape',
  'no-obj-calls',
  'no-prototype-builtins',
  'no-redeclare',
  'no-regex-spaces',
  'no-self-assign',
  'no-setter-return',
  'no-shadow-restricted-names',
  'no-sparse-arrays',
  'no-this-before-super',
  'no-unassigned-vars',
  'no-unexpected-multiline',
  'no-unreachable',
  'no-unsafe-finally',
  'no-unsafe-negation',
  'no-unsafe-optional-chaining',
  'no-unused-labels',
  'no-unused-private-class-members',
  'no-useless-assignment',
  'no-useless-backreference',
  'no-useless-catch',
  'no-useless-escape',
  'no-with',
  'preserve-caught-error',
  'require-yield',
  'use-isnan',
  'valid-typeof',
  'no-var',
  'prefer-const',
  'prefer-rest-params',
  'prefer-spread',
  'typescript/ban-ts-comment',
  'no-array-constructor',
  'typescript/no-duplicate-enum-values',
  'typescript/no-empty-object-type',
  'typescript/no-explicit-any',
  'typescript/no-extra-non-null-assertion',
  'typescript/no-misused-new',
  'typescript/no-namespace',
  'typescript/no-non-null-asserted-optional-chain',
  'typescript/no-require-imports',
  'typescript/no-this-alias',
  'typescript/no-unnecessary-type-constraint',
  'typescript/no-unsafe-declaration-merging',
  'typescript/no-unsafe-function-type',
  'no-unused-expressions',
  'typescript/no-wrapper-object-types',
  'typescript/prefer-as-const',
  'typescript/prefer-namespace-keyword',
  'typescript/triple-slash-reference',
]

export default defineConfig({
  plugins: ['typescript'],
  categories: { correctness: 'off' },
  ignorePatterns: ignored,
  rules: {
    ...Object.fromEntries(recommended.map((rule) => [rule, 'error' as const])),
    ...houseRules,
    'no-unused-vars': ['error', unusedNames],
    'typescript/consistent-type-imports': 'error',
  },
  overrides: [
    {
      files: ['{server,main}/**/*.ts', 'test/{http,crash,spec,support}/**/*.ts'],
      rules: {
        'typescript/no-floating-promises': 'error',
        'typescript/no-misused-promises': ['error', { checksVoidReturn: false }],
      },
    },
    {
      files: ['server/{kernel,wire}/**/*.ts'],
      excludeFiles: ['**/*.test.ts'],
      jsPlugins: [{ name: 'eslint-js', specifier: 'oxlint-plugin-eslint' }],
      rules: {
        'no-restricted-globals': [
          'error',
          ...impureGlobals.map((name) => ({
            name,
            message: `The kernel is pure: ${name} comes in through a port.`,
          })),
        ],
        'no-restricted-properties': [
          'error',
          { object: 'Date', property: 'now', message: noClock },
          {
            object: 'Math',
            property: 'random',
            message: 'The kernel has no randomness: take it as an argument.',
          },
        ],
        'eslint-js/no-restricted-syntax': [
          'error',
          { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: noClock },
          { selector: "CallExpression[callee.name='Date']", message: noClock },
        ],
      },
    },
    {
      files: ['{renderer,elements,main}/**/*.ts'],
      // These reword messages of the kernel, which have straight quotes, or are code that is shown.
      excludeFiles: [
        '**/*.test.ts',
        'main/launch/**',
        'renderer/text/form-words.ts',
        'renderer/pages/lookup/{placement,markup}.ts',
      ],
      jsPlugins: [{ name: 'eslint-js', specifier: 'oxlint-plugin-eslint' }],
      rules: {
        'eslint-js/no-restricted-syntax': ['error', ...withStraightQuotes('Literal', 'TemplateElement')],
      },
    },
    {
      // These speak to a person on a terminal, or to the test of the element.
      files: [
        'server/cli.ts',
        'server/cli/**',
        'server/bin.mjs',
        'main/launch/**',
        'test/run{,-long}.mjs',
        'test/run/**',
        'test/bench/**',
        'test/e2e/shots*',
        'test/elements/consumer/**/*.tsx',
      ],
      rules: { 'no-console': 'off' },
    },
  ],
})
