using System.Reflection;
using System.Text;
using ProtocolArc.Runtime.Model;
using ProtocolArc.Runtime.Tests.Support;
using Xunit;

namespace ProtocolArc.Runtime.Tests;

public sealed class PublicApiTests
{
    private const BindingFlags Declared =
        BindingFlags.Public | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    /// <summary>A change of the public interface is a change of the approved file, seen in review.</summary>
    [Fact]
    public void The_public_interface_is_the_approved_one()
    {
        string approved = Repository.Path("tests", "dotnet", "ProtocolArc.Runtime.Tests", "PublicApi.approved.txt");
        string actual = Render();
        if (Environment.GetEnvironmentVariable("APPROVE") == "1")
        {
            File.WriteAllText(approved, actual);
        }

        Assert.Equal(File.ReadAllText(approved).ReplaceLineEndings("\n"), actual);
    }

    private static string Render()
    {
        var text = new StringBuilder();
        foreach (Type type in typeof(Contract).Assembly.GetExportedTypes().OrderBy(type => type.FullName, StringComparer.Ordinal))
        {
            string kind = type.IsEnum ? "enum" : type.IsValueType ? "struct" : type is { IsAbstract: true, IsSealed: true } ? "static class" : "class";
            text.Append(kind).Append(' ').Append(type.FullName).Append('\n');
            IEnumerable<string> members = type.IsEnum
                ? Enum.GetNames(type)
                : type.GetMembers(Declared).Where(IsOwn).Select(member => Show(member)).Order(StringComparer.Ordinal);
            foreach (string member in members)
            {
                text.Append("    ").Append(member).Append('\n');
            }
        }

        return text.ToString();
    }

    private static bool IsOwn(MemberInfo member) =>
        member is not MethodInfo { IsSpecialName: true } && !member.Name.Contains('<', StringComparison.Ordinal);

    private static string Show(MemberInfo member) => member switch
    {
        ConstructorInfo constructor => $"new({Parameters(constructor)})",
        MethodInfo method => $"{(method.IsStatic ? "static " : "")}{Name(method.ReturnType)} {method.Name}({Parameters(method)})",
        PropertyInfo property => $"{(property.GetMethod!.IsStatic ? "static " : "")}{Name(property.PropertyType)} {property.Name}{(property.SetMethod is { IsPublic: true } ? " { get; init; }" : " { get; }")}",
        _ => member.ToString()!,
    };

    private static string Parameters(MethodBase method) =>
        string.Join(", ", method.GetParameters().Select(parameter => $"{Name(parameter.ParameterType)} {parameter.Name}"));

    private static string Name(Type type)
    {
        if (!type.IsGenericType)
        {
            return type.Name;
        }

        string arguments = string.Join(", ", type.GetGenericArguments().Select(Name));
        return $"{type.Name[..type.Name.IndexOf('`', StringComparison.Ordinal)]}<{arguments}>";
    }
}
