/** Something in a template that the embedded runtime can't do. It says where it stands and which file to extend: nothing is ignored in silence. */
export class TemplateFault extends Error {
  override readonly name = "TemplateFault";
  readonly stackName: string;
  readonly logicalId: string;

  constructor(stackName: string, logicalId: string, what: string, options?: ErrorOptions) {
    super(`stack ${stackName}, resource ${logicalId}: ${what}`, options);
    this.stackName = stackName;
    this.logicalId = logicalId;
  }
}
