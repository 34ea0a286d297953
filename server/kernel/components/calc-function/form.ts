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
          help: 'The values that are passed in, in this order.',
          widget: 'grid',
          fields: paramColumns,
        },
        {
          path: 'returns',
          label: 'Result',
          help: 'The type of the result.',
          widget: 'select',
          required: true,
          options: paramTypeOptions,
        },
        {
          path: 'expression',
          label: 'Expression',
          help: 'Computes the result from the parameters and from configuration.',
          widget: 'expression',
          expression: 'calc_function',
          required: true,
        },
      ],
    },
  ],
}
