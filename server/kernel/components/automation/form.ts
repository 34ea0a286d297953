// Form of an automation.
import type { FieldDescriptor, FormDescriptor } from '../form.ts'
import { paramColumns } from '../params.ts'

const whenType = (...types: string[]) => ({ path: 'type', in: types })
const outbound = whenType('enqueue', 'callout')

const actionFields: readonly FieldDescriptor[] = [
  {
    path: 'key',
    label: 'Key',
    help: 'The name of the action in traces and diffs.',
    widget: 'text',
    required: true,
  },
  {
    path: 'type',
    label: 'Action',
    help: 'What to do. The phase decides which actions are allowed.',
    widget: 'select',
    required: true,
    options: [
      {
        value: 'assign',
        label: 'Set fields',
        help: 'Sets fields of the record before it is written.',
      },
      { value: 'raise', label: 'Reject', help: 'The save fails with a message.' },
      { value: 'create', label: 'Create a record' },
      { value: 'update', label: 'Change a record' },
      { value: 'publish', label: 'Publish an event' },
      {
        value: 'enqueue',
        label: 'Send after commit',
        help: 'Written to the outbox in the same transaction as the record.',
      },
      { value: 'callout', label: 'Call now', help: 'Only outside the write transaction.' },
    ],
  },
  {
    path: 'object',
    label: 'Object',
    help: 'The object whose record is created or changed.',
    widget: 'reference',
    refTypes: ['object'],
    when: whenType('create', 'update'),
  },
  {
    path: 'record',
    label: 'Record',
    help: 'An expression that gives the record to change.',
    widget: 'expression',
    expression: 'automation_value',
    when: whenType('update'),
  },
  {
    path: 'values',
    label: 'Values',
    help: 'One expression for each field.',
    widget: 'map',
    expression: 'automation_value',
    when: whenType('assign', 'create', 'update'),
  },
  {
    path: 'when',
    label: 'Reject if',
    help: 'The condition. If empty, every save is rejected.',
    widget: 'expression',
    expression: 'automation_condition',
    when: whenType('raise'),
  },
  {
    path: 'message',
    label: 'Message',
    help: 'The message to the user: what is wrong, and how to fix it.',
    widget: 'text',
    when: whenType('raise'),
  },
  {
    path: 'field',
    label: 'Field',
    help: 'The field next to which the message is shown.',
    widget: 'object_field',
    when: whenType('raise'),
  },
  {
    path: 'channel',
    label: 'Channel',
    help: 'The channel to which the event is published.',
    widget: 'reference',
    refTypes: ['event_channel'],
    when: whenType('publish'),
  },
  {
    path: 'operation',
    label: 'Operation',
    help: 'An operation of an external service, as <service>.<operationId>. Alternatively, set a credential with method and path.',
    widget: 'text',
    when: outbound,
  },
  {
    path: 'credential',
    label: 'Credential',
    help: 'The named credential that is called, or an expression that gives one, such as config.bank.credential.',
    widget: 'reference',
    refTypes: ['named_credential'],
    expression: 'automation_credential',
    when: outbound,
  },
  {
    path: 'method',
    label: 'Method',
    help: 'POST and PATCH are retried only with an idempotency key.',
    widget: 'select',
    options: ['GET', 'HEAD', 'PUT', 'DELETE', 'POST', 'PATCH'].map((value) => ({ value, label: value })),
    when: outbound,
  },
  {
    path: 'path',
    label: 'Path',
    help: 'The path below the URL of the credential. Path values replace the names in braces.',
    widget: 'text',
    placeholder: '/entries/{id}',
    when: outbound,
  },
  {
    path: 'pathParams',
    label: 'Path values',
    help: 'One expression for each name in braces.',
    widget: 'map',
    expression: 'automation_value',
    when: outbound,
  },
  {
    path: 'query',
    label: 'Query',
    help: 'One expression for each query parameter.',
    widget: 'map',
    expression: 'automation_value',
    when: outbound,
  },
  {
    path: 'payload',
    label: 'Payload',
    help: 'One expression for each field of the payload.',
    widget: 'map',
    expression: 'automation_value',
    when: whenType('publish', 'enqueue', 'callout'),
  },
  {
    path: 'idempotencyKey',
    label: 'Idempotency key',
    help: 'Declares that the call can be retried safely.',
    widget: 'expression',
    expression: 'automation_value',
    when: outbound,
  },
]

export const automationForm: FormDescriptor = {
  sections: [
    {
      title: 'Trigger',
      fields: [
        {
          path: 'phase',
          label: 'Phase',
          help: 'When it runs.',
          widget: 'select',
          required: true,
          options: [
            {
              value: 'before_write',
              label: 'Before the write',
              help: 'Sets fields of the record that is being saved.',
            },
            {
              value: 'after_write',
              label: 'After the write',
              help: 'Runs in the same transaction. Outgoing calls are queued.',
            },
            {
              value: 'post_commit',
              label: 'After the commit',
              help: 'Runs in a separate transaction. It can make outgoing calls.',
            },
            {
              value: 'invocable',
              label: 'When called',
              help: 'An operation with parameters that is not part of a save.',
            },
          ],
        },
        {
          path: 'object',
          label: 'Object',
          help: 'The object whose saves trigger it.',
          widget: 'reference',
          refTypes: ['object'],
          when: { path: 'phase', in: ['before_write', 'after_write', 'post_commit'] },
        },
        {
          path: 'params',
          label: 'Parameters',
          help: 'The values that the caller passes in.',
          widget: 'grid',
          fields: paramColumns,
          when: { path: 'phase', in: ['invocable'] },
        },
        {
          path: 'grantedTo',
          label: 'Granted to',
          help: 'Permission sets whose holders can call it. If empty, nobody can.',
          widget: 'references',
          refTypes: ['permission_set'],
          when: { path: 'phase', in: ['invocable'] },
        },
        {
          path: 'when',
          label: 'Condition',
          help: 'The automation runs only if this is true. If empty, it always runs.',
          widget: 'expression',
          expression: 'automation_condition',
        },
      ],
    },
    {
      title: 'Actions',
      fields: [
        {
          path: 'actions',
          label: 'Actions',
          help: 'The actions, which run in this order.',
          widget: 'grid',
          required: true,
          fields: actionFields,
        },
        {
          path: 'returns',
          label: 'Returned values',
          help: 'One expression over the parameters for each value that the caller receives.',
          widget: 'map',
          expression: 'automation_value',
          when: { path: 'phase', in: ['invocable'] },
        },
      ],
    },
  ],
}
