// Form of a calc function.
import type { FormDescriptor } from '../form.ts'
import { paramColumns, paramTypeOptions } from '../params.ts'

export const calcFunctionForm: FormDescriptor = {
  sections: [
    {
      title: 'Function',
      fields: [
        {
          path: 'params',
          label: 'Parameters',
          help: 'What is passed in, in this order.',
          widget: 'grid',
          fields: paramColumns,
        },
        {
          path: 'returns',
          label: 'Result',
          help: 'The type of what comes out.',
          widget: 'select',
          required: true,
          options: paramTypeOptions,
        },
        {
          path: 'expression',
          label: 'Expression',
          help: 'How the result follows from the parameters and from configuration.',
          widget: 'expression',
          expression: 'calc_function',
          required: true,
        },
      ],
    },
  ],
}
