using ProtocolArc.Runtime.Model;
using ProtocolArc.Runtime.Validation;

namespace ProtocolArc.Runtime.Output;

/// <summary>One result as JSON reports carry it.</summary>
internal static class JsonResult
{
    public static void Write(JsonWriter json, in DocumentLabel label, in ValidationResult result)
    {
        json.Open('{').Name("envelope").Value(label).Name("ok").Value(result.Ok);
        if (result.Fault is Fault fault)
        {
            json.Name("error").Open('{').Name("code").Value(fault.Code).Name("offset").Value(fault.Offset).Close('}');
        }
        else
        {
            json.Name("findings").Open('[');
            foreach (Finding finding in result.Findings)
            {
                json.Item().Open('{')
                    .Name("rule").Value(finding.Rule)
                    .Name("field").Value(finding.Field)
                    .Name("severity").Value(finding.Severity.Name())
                    .Name("message").Value(finding.Message)
                    .Close('}');
            }

            json.Close(']');
        }

        json.Close('}');
    }
}
