// Lint of components, and of how the studio's other code uses Vue. Every other rule is in oxlint.config.ts.
import js from '@eslint/js'
import vue from 'eslint-plugin-vue'
import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'
import { houseRules, ignored, unusedNames, withStraightQuotes } from './oxlint.config.ts'

/** Components, and other code that can import Vue. */
const codeWithVue = ['**/*.vue', '{renderer,test/elements/consumer/vue}/**/*.ts']

export default defineConfig(
  { ignores: [...ignored, '**/*.{js,mjs}'] },
  { files: ['**/*.vue'], extends: [js.configs.recommended, tseslint.configs.recommended] },
  { files: codeWithVue, extends: [vue.configs['flat/recommended']] },
  { files: codeWithVue, ignores: ['**/*.vue'], languageOptions: { parser: tseslint.parser } },
  {
    files: ['**/*.vue'],
    languageOptions: { parserOptions: { parser: tseslint.parser } },
    rules: {
      // TypeScript knows the names of an environment better than a list does.
      'no-undef': 'off',
      ...houseRules,
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', unusedNames],
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
    files: ['{renderer,elements,main}/**/*.vue'],
    rules: {
      'no-restricted-syntax': ['error', ...withStraightQuotes('Literal', 'TemplateElement')],
      'vue/no-restricted-syntax': [
        'error',
        ...withStraightQuotes(
          'VElement:not([name=/^(script|style)$/]) > VText',
          'VLiteral',
          'Literal',
          'TemplateElement',
        ),
      ],
    },
  },
)
