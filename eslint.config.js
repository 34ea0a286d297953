// Lint: the purity of the kernel, plain output, and promises that somebody waits for.
import js from '@eslint/js'
import vue from 'eslint-plugin-vue'
import tseslint from 'typescript-eslint'

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

const straightQuotes = 'Texts of the studio have typographic quotes: “ ” and ’ (CONTRIBUTING.md, "Language").'
/** An apostrophe in a word, or a quoted word; not the quotes of attributes in HTML or in a selector. */
const straightQuote = String.raw`/[a-z]'[a-z]|(?:^|\s)"[A-Za-z]/`

export default tseslint.config(
  {
    ignores: [
      'out/**',
      '**/dist/**',
      'coverage/**',
      'playwright-report/**',
      'test-results/**',
      'test/bench/peers/**',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  ...vue.configs['flat/recommended'],
  {
    files: ['**/*.vue'],
    languageOptions: { parserOptions: { parser: tseslint.parser } },
  },
  {
    files: ['**/*.{ts,mjs,js,vue}'],
    rules: {
      // TypeScript knows the names of an environment better than a list does.
      'no-undef': 'off',
      'no-console': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'object-shorthand': ['error', 'properties'],
      'no-useless-rename': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-explicit-any': 'error',
      // Layout of templates is Prettier's business.
      'vue/max-attributes-per-line': 'off',
      'vue/singleline-html-element-content-newline': 'off',
      'vue/multiline-html-element-content-newline': 'off',
      'vue/html-self-closing': 'off',
      'vue/html-indent': 'off',
      'vue/html-closing-bracket-newline': 'off',
      'vue/first-attribute-linebreak': 'off',
      'vue/multi-word-component-names': 'off',
      'vue/require-default-prop': 'off',
    },
  },
  {
    files: ['{server,main}/**/*.ts', 'test/{http,crash,spec,support}/**/*.ts'],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
    },
  },
  {
    files: ['server/{kernel,wire}/**/*.ts'],
    ignores: ['**/*.test.ts'],
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
        {
          object: 'Date',
          property: 'now',
          message: 'The kernel has no clock: take the date as an argument.',
        },
        {
          object: 'Math',
          property: 'random',
          message: 'The kernel has no randomness: take it as an argument.',
        },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: "NewExpression[callee.name='Date'][arguments.length=0]",
          message: 'The kernel has no clock: take the date as an argument.',
        },
        {
          selector: "CallExpression[callee.name='Date']",
          message: 'The kernel has no clock: take the date as an argument.',
        },
      ],
    },
  },
  {
    files: ['{renderer,elements,main}/**/*.{ts,vue}'],
    // These reword messages of the kernel, which have straight quotes, or are code that is shown.
    ignores: [
      '**/*.test.ts',
      'main/launch/**',
      'renderer/text/form-words.ts',
      'renderer/pages/lookup/{placement,markup}.ts',
    ],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...[`Literal[value=${straightQuote}]`, `TemplateElement[value.raw=${straightQuote}]`].map(
          (selector) => ({ selector, message: straightQuotes }),
        ),
      ],
      'vue/no-restricted-syntax': [
        'error',
        ...['VElement:not([name=/^(script|style)$/]) > VText', 'VLiteral', 'Literal'].map((node) => ({
          selector: `${node}[value=${straightQuote}]`,
          message: straightQuotes,
        })),
        { selector: `TemplateElement[value.raw=${straightQuote}]`, message: straightQuotes },
      ],
    },
  },
  {
    // These speak to a person on a terminal.
    files: [
      'server/cli.ts',
      'server/cli/**',
      'server/bin.mjs',
      'main/launch/**',
      'test/run.mjs',
      'test/run/**',
      'test/bench/**',
      'test/e2e/shots*',
    ],
    rules: { 'no-console': 'off' },
  },
)
